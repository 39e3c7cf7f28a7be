// Queries of the captured survey events (contract/llm-surveys 9), in the language of saved queries, so that persons are
// today's and one project's events are all there is.

// No `$survey_id`, no survey (contract/decisions 13). The SDKs send every answered step of a submission as an event: the
// latest of them is the response; an event without `$survey_submission_id` is one of its own.
const ofSurvey = "coalesce(properties.$survey_id, '') != ''";
const submission =
  "if(coalesce(properties.$survey_submission_id, '') = '', concat('e', toString(uuid)), concat('s', properties.$survey_submission_id))";
const inWindow = 'timestamp >= {first} AND timestamp <= {last}';
const isPartial = "coalesce(properties.$survey_partially_completed, '') = 'true'";

/** `[survey id, responses]`, of the surveys `{surveys}` (none: of all). */
export const responsesBySurvey = `
  SELECT survey, count() AS responses FROM (
    SELECT properties.$survey_id AS survey, ${submission} AS submission
    FROM events WHERE event = 'survey sent' AND ${ofSurvey} AND (empty({surveys}) OR properties.$survey_id IN {surveys})
    GROUP BY survey, submission)
  GROUP BY survey ORDER BY survey`;

/** As `responsesBySurvey`, but only those whose event is one of `{uuids}`. */
export const responsesAmong = `
  SELECT survey, count() AS responses FROM (
    SELECT properties.$survey_id AS survey, ${submission} AS submission, argMax(toString(uuid), tuple(timestamp, toString(uuid))) AS response
    FROM events WHERE event = 'survey sent' AND ${ofSurvey} AND (empty({surveys}) OR properties.$survey_id IN {surveys})
    GROUP BY survey, submission)
  WHERE response IN {uuids}
  GROUP BY survey ORDER BY survey`;

/** `[event, events, persons, first, last]` of what is shown, dismissed and sent from `{first}` to `{last}`. */
export const eventTotals = `
  SELECT kind, count() AS total, uniqExact(person) AS persons, min(at) AS first, max(at) AS last FROM (
    SELECT event AS kind, person_id AS person, timestamp AS at
    FROM events WHERE event IN ('survey shown', 'survey dismissed') AND ${ofSurvey} AND ${inWindow} AND NOT (event = 'survey dismissed' AND ${isPartial})
    UNION ALL
    SELECT 'survey sent' AS kind, argMax(person_id, tuple(timestamp, toString(uuid))) AS person, max(timestamp) AS at
    FROM events WHERE event = 'survey sent' AND ${ofSurvey} AND ${inWindow}
    GROUP BY properties.$survey_id, ${submission})
  GROUP BY kind`;

/** `[persons]` who dismissed a survey and answered one, from `{first}` to `{last}`. */
export const personsOfBoth = `
  SELECT count() FROM (
    SELECT person_id FROM events
    WHERE event IN ('survey dismissed', 'survey sent') AND ${ofSurvey} AND ${inWindow} AND NOT (event = 'survey dismissed' AND ${isPartial})
    GROUP BY person_id HAVING uniqExact(event) = 2)`;
