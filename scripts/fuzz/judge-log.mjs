/**
 * What the log may hold, whatever was sent: fields of our own, each of a form that no program, value, name or key fits. So
 * nothing of a caller's can stand in it, and a fault of ours is found even where its caller was told something else.
 */
const WORD = /^[a-z_]+$/;
const NUMBER = "number";
const CALL = {
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  store: /^[0-9a-f]{64}$/,
  key: /^key_[0-9a-f]{16}$/,
  method: /^(initialize|ping|tools\/list|tools\/call|notifications\/cancelled)$/,
  tool: WORD,
  http: NUMBER,
  code: NUMBER,
  status: /^(success|refuse|engine_error|compile_error)$/,
  reason: WORD,
  ops: NUMBER,
  ms: NUMBER,
  waited_ms: NUMBER,
  waiting: NUMBER,
  running: NUMBER,
  left: /^true$/,
};
/** No counter has another name. */
const COUNTER = /^(calls|left|ops|(http|rpc|ms|refuse|[a-z_]+)\.[-\w]+)$/;

const fits = (form, value) => (form === NUMBER ? typeof value === "number" : form?.test(String(value)) === true);

/** What is wrong with a line; null for a good one. */
function judgeLine(line, tools) {
  let fields;
  try {
    fields = JSON.parse(line);
  } catch {
    return `a line that is no JSON: ${line.slice(0, 500)}`;
  }
  const { event, ...rest } = fields;
  if (event === "fault") return `a fault: ${line.slice(0, 1500)}`;
  const wrong = Object.entries(rest).find(([name, value]) => {
    if (event === "counters") return !COUNTER.test(name) || typeof value !== "number";
    return event !== "call" || !fits(CALL[name], value) || (name === "tool" && !tools.some((tool) => tool.name === value));
  });
  return wrong === undefined ? null : `${wrong[0]} of a line of the log: ${line.slice(0, 500)}`;
}

/**
 * Has the log of a service in this process judged instead of printed, line by line. `end` gives it back.
 *
 * @param names  `tools`: those served.
 */
export function judgeLog(names) {
  const problems = [];
  const print = console.log;
  let lines = 0;
  console.log = (line) => {
    lines++;
    const wrong = judgeLine(String(line), names.tools);
    if (wrong !== null) problems.push(wrong);
  };
  return {
    problems,
    lines: () => lines,
    end() {
      console.log = print;
    },
  };
}
