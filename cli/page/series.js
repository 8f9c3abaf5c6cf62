const timeName = /^(time|timestamp|date|at|ts|t|start|end|from|to)/i;

/** Milliseconds of what can only be a point in time: an ISO text, or a number of seconds or milliseconds of our days. */
function timeOf(value) {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]/.test(value)) return Date.parse(value);
  const number = typeof value === "string" && /^\d{9,13}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || number < 1e9) return NaN;
  return number < 1e11 ? number * 1000 : number;
}

const numberOf = (value) =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) ? Number(value) : NaN;

const isTime = (value) => !Number.isNaN(timeOf(value));
const isNumber = (value) => !Number.isNaN(numberOf(value));
const isAll = (list, test) => Array.isArray(list) && list.length > 0 && list.every(test);

/**
 * The time series in a body whose layout is not known: rows that have a time and numbers, pairs of both, and lists of times beside
 * lists of numbers that are as long. Each has a name, a unit where one stands beside it, and points in order of time.
 */
export function seriesIn(body, name = "", unit = "") {
  if (Array.isArray(body)) return ofRows(body, name, unit) ?? body.flatMap((each) => seriesIn(each, name, unit));
  if (typeof body !== "object" || body === null) return [];
  const own = [body.name, body.label, body.metric, body.id].find((each) => typeof each === "string") ?? name;
  const ownUnit = typeof body.unit === "string" ? body.unit : unit;
  const entries = Object.entries(body);
  const [timesKey, times] = entries.find(([, list]) => isAll(list, isTime)) ?? [];
  return entries.flatMap(([key, value]) => {
    if (key === timesKey) return [];
    const inner = /^(series|points|values|data|datapoints|metrics|results?)$/i.test(key) ? own : key;
    if (times && isAll(value, isNumber) && value.length === times.length)
      return [
        series(
          inner,
          ownUnit,
          value.map((each, index) => [times[index], each]),
        ),
      ];
    return seriesIn(value, inner, ownUnit);
  });
}

function ofRows(rows, name, unit) {
  if (isAll(rows, (row) => Array.isArray(row) && row.length === 2 && isTime(row[0]) && isNumber(row[1])))
    return [series(name, unit, rows)];
  const isRow = (row) => typeof row === "object" && row !== null && !Array.isArray(row);
  if (!isAll(rows, isRow)) return undefined;
  const timeKey = Object.keys(rows[0]).find((key) => timeName.test(key) && rows.every((row) => isTime(row[key])));
  if (timeKey === undefined) return undefined;
  const values = Object.keys(rows[0]).filter((key) => key !== timeKey && rows.some((row) => isNumber(row[key])));
  return values.map((key) => {
    const pairs = rows.filter((row) => isNumber(row[key])).map((row) => [row[timeKey], row[key]]);
    return series(/^(value|v|y)$/i.test(key) && name !== "" ? name : key, unit, pairs);
  });
}

const series = (name, unit, pairs) => ({
  name,
  unit,
  points: pairs.map(([time, value]) => ({ ms: timeOf(time), value: numberOf(value) })).sort((a, b) => a.ms - b.ms),
});
