/** Revisions of the protocol that the service speaks and the suite can test. */
export const revisions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
export const [newest] = revisions;

export type Revision = (typeof revisions)[number];

interface Expected {
  revision: Revision;
  scenario: string;
  check: string;
  why: string;
}

const diagnostic = (tool: string) =>
  `asks for the tool ${tool} of the suite, which only a server made for it has`;
const notDeclared = (capability: string) =>
  `tests ${capability}, which the service does not declare: it is stateless, and the protocol has dropped it`;

/** Checks that fail against the product, each with the reason. */
export const expectedFailures: readonly Expected[] = [
  ...(
    [
      ['sep-2575-server-rejects-undeclared-capability', 'test_missing_capability'],
      ['sep-2575-missing-capability-http-400', 'test_missing_capability'],
      ['sep-2575-http-server-no-independent-requests-on-stream', 'test_streaming_elicitation'],
      ['sep-2575-server-no-log-without-loglevel', 'test_logging_tool'],
    ] as const
  ).map(
    ([check, tool]): Expected => ({
      ...{ revision: newest, scenario: 'server-stateless', check },
      why: diagnostic(tool),
    }),
  ),
  ...(['2025-11-25', '2025-06-18'] as const).flatMap((revision): Expected[] => [
    { revision, scenario: 'logging-set-level', check: 'logging-set-level', why: notDeclared('logging') },
    ...['resources-subscribe', 'resources-unsubscribe'].map((scenario) => ({
      ...{ revision, scenario, check: scenario },
      why: notDeclared('subscriptions of resources'),
    })),
  ]),
];

const asksClient = (what: string) =>
  `the service would send the client a request for ${what}; the answer comes with another HTTP request, which a server without sessions cannot bring to the call that waits. The newest revision does it in results, and passes`;

const ofTasks = (scenario: string, checks: readonly string[], why: string) =>
  checks.map((check): Expected => ({ revision: newest, scenario, check, why }));

/** Checks that fail against the build that has the fixtures, each with the reason. */
export const expectedWithFixtures: readonly Expected[] = [
  ...(['2025-11-25', '2025-06-18'] as const).flatMap((revision): Expected[] =>
    ['sampling', 'elicitation'].map((what) => {
      const scenario = `tools-call-${what}`;
      return { revision, scenario, check: scenario, why: asksClient(what) };
    }),
  ),
  ...['sep1034-defaults', 'sep1330-enums'].map((form): Expected => {
    const check = `elicitation-${form.split('-')[0]}-general`;
    return { revision: '2025-11-25', scenario: `elicitation-${form}`, check, why: asksClient('elicitation') };
  }),
  ...ofTasks(
    'tasks-lifecycle',
    ['sep-2663-tasks-get-status-failed'],
    'a task of the service that failed has run: it is completed, with an error as its result',
  ),
  ...ofTasks(
    'tasks-lifecycle',
    ['sep-2663-cancel-ack-empty-result'],
    'tasks/cancel deletes the task and its files, and a task that is deleted is not found',
  ),
  ...ofTasks(
    'tasks-mrtr-input',
    ['sep-2663-tasks-get-status-input-required', 'tasks-mrtr-partial-fulfillment'],
    'no task of the service asks for input: everything it needs is in the call',
  ),
];

/**
 * Scenarios that call tools, prompts, resources or completions which a server has to have under the names of the suite
 * (`test_simple_text`, `test://static-text`, …). They say nothing about a server that has others.
 */
export const needFixtures = [
  ...['completion-complete', 'json-schema-2020-12', 'http-custom-header-server-validation'],
  ...['tools-call-', 'resources-read-', 'resources-templates-read', 'prompts-get-'],
  ...['elicitation-', 'input-required-result-'],
];
