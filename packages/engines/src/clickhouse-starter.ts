/** The `users_config` of the local ClickHouse, to which the files of its folder add users. */
export const noUsers =
  '<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users></users></clickhouse>\n';

/**
 * Adds the user whom the process of the local ClickHouse starts its two first statements as: `default`, which must
 * therefore exist without a password (its session comes from 127.0.0.1 as others' do). It is left with no rights, no way to
 * write a query that calls a function with an argument (seven elements; `file('/path')` needs no grant), and no statement
 * more than those two.
 */
export const starterUser = `<clickhouse>
<profiles>
<starter><max_ast_elements>6</max_ast_elements><constraints><max_ast_elements><const/></max_ast_elements></constraints></starter>
</profiles>
<quotas>
<starter><interval><duration>1000000000</duration><queries>2</queries></interval></starter>
</quotas>
<users>
<default>
<password></password>
<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
<profile>starter</profile>
<quota>starter</quota>
<grants>
<query>GRANT SYSTEM LISTEN ON *.*</query>
<query>GRANT CREATE TEMPORARY TABLE ON *.*</query>
<query>GRANT TABLE ENGINE ON *</query>
</grants>
</default>
</users>
</clickhouse>
`;
