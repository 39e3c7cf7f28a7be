import type { EngineForm, TemplateForm } from '../queries/result/template-form.ts';

/** A response of ClickHouse as `JSONCompact`: so many rows of one column. It has read a row and a byte in a millisecond. */
export function compactAnswer(rows: number): Buffer {
  const data = Array.from({ length: rows }, () => '\t\t[1]').join(',\n');
  return Buffer.from(`{
	"meta":
	[
		{
			"name": "1",
			"type": "UInt8"
		}
	],

	"data":
	[
${data}
	],

	"rows": ${rows},

	"statistics":
	{
		"elapsed": 0.001,
		"rows_read": 1,
		"bytes_read": 1
	}
}
`);
}

/** A response with one row in a form of our own. */
export function templateAnswer(form: EngineForm): Buffer {
  const { endMark } = form as TemplateForm;
  return Buffer.from(`1\n${endMark}1,"statistics":{"elapsed":0.001,"rows_read":1,"bytes_read":1}}`);
}
