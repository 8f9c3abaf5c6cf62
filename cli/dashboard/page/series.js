/**
 * Returns the time series in an answer. The spec does not show its form, so the function finds series by their shape. A series is a list of
 * objects or pairs with a time and numbers, a list of times beside lists of as many numbers, or an object whose keys are times. It has at
 * least two points, in the order of time.
 */
export function seriesIn(body) {
  const found = [];
  walk(body, [], found);
  const names = found.map(({ name }) => name);
  return found.map((each, index) =>
    names.indexOf(each.name) === index ? each : { ...each, name: `${each.name} (${index + 1})` },
  );
}

/** Returns at most this number of points: the lowest and the highest of each stretch, so that peaks stay. A stretch without values stays a gap. */
export function thinned(points, most) {
  if (points.length <= most) return points;
  const length = Math.ceil((2 * points.length) / most);
  const stretches = Array.from({ length: Math.ceil(points.length / length) }, (_, index) =>
    points.slice(index * length, (index + 1) * length),
  );
  return stretches.flatMap((stretch) => {
    const known = stretch.filter(([, value]) => value !== undefined);
    if (known.length === 0) return [stretch[0]];
    const { lowest, highest } = extremes(known);
    return lowest === highest ? [lowest] : known.filter((point) => point === lowest || point === highest);
  });
}

/** Returns the points with the lowest and the highest value. All points must have a value. */
export function extremes(known) {
  let [lowest, highest] = [known[0], known[0]];
  for (const point of known) {
    if (point[1] < lowest[1]) lowest = point;
    if (point[1] > highest[1]) highest = point;
  }
  return { lowest, highest };
}

/** Finds series below a value. `path` holds the names of the objects on the way, or else the keys. */
function walk(value, path, found) {
  if (typeof value !== "object" || value === null) return;
  const own = Array.isArray(value) ? listed(value) : keyed(value);
  if (own.length > 0) {
    for (const { name, points } of own)
      found.push({ name: [...path, name].filter(Boolean).join(" ") || "value", unit: undefined, points });
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      walk(each, nameOf(each) === undefined && value.length > 1 ? [...path, String(index + 1)] : path, found);
    });
    return;
  }
  const name = nameOf(value);
  const here = name === undefined ? path : [...path, name];
  const before = found.length;
  const columnar = columns(value);
  for (const { name: column, points } of columnar) {
    const isOnly = columnar.length === 1 && here.length > 0;
    found.push({ name: [...here, ...(isOnly ? [] : [column])].join(" "), unit: undefined, points });
  }
  if (columnar.length === 0)
    for (const [key, each] of Object.entries(value))
      // The list of a named thing's points is called by the thing's name.
      walk(each, name !== undefined || holders.test(key) ? here : [...here, key], found);
  const unit = [value.unit, value.units].find((text) => typeof text === "string");
  for (const each of found.slice(before)) each.unit ??= unit;
}

/** Keys that only say that data follow. */
const holders = /^(data|result|results|metrics|series|points|datapoints|values|content|items)$/i;

/** Returns the name of an object, from its own fields or its labels. */
function nameOf(value) {
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of ["name", "label", "metric", "metricName"]) {
    const text = value[key];
    if (typeof text === "string" && text !== "") return text;
    if (typeof text === "object" && text !== null) return nameOf(text) ?? nameOf({ name: text["__name__"] });
  }
  return undefined;
}

/** Returns the series in a list of points: pairs of a time and a value, or objects with a time and numbers. */
function listed(list) {
  if (list.length < 2) return [];
  if (list.every((each) => Array.isArray(each) && each.length === 2)) {
    const points = list.map(([time, value]) => [momentOf(time), numberOf(value)]);
    return seriesOf("", points);
  }
  if (!list.every((each) => typeof each === "object" && each !== null && !Array.isArray(each))) return [];
  const timeKey = Object.keys(list[0]).find((key) => list.every((each) => momentOf(each[key]) !== undefined));
  if (timeKey === undefined) return [];
  const keys = [...new Set(list.flatMap(Object.keys))].filter(
    (key) => key !== timeKey && list.some((each) => numberOf(each[key]) !== undefined),
  );
  return keys.flatMap((key) =>
    seriesOf(
      keys.length > 1 || !/^(value|val|y|v)$/i.test(key) ? key : "",
      list.map((each) => [momentOf(each[timeKey]), numberOf(each[key])]),
    ),
  );
}

/** Returns the series in a list of times beside lists of as many numbers. */
function columns(fields) {
  const lists = Object.entries(fields).filter((entry) => Array.isArray(entry[1]));
  const times = lists.find(([, list]) => list.length > 1 && list.every((each) => momentOf(each) !== undefined));
  if (!times) return [];
  return lists
    .filter(([key, list]) => key !== times[0] && list.length === times[1].length)
    .flatMap(([key, list]) =>
      seriesOf(
        key,
        list.map((each, index) => [momentOf(times[1][index]), numberOf(each)]),
      ),
    );
}

/** Returns the series in an object whose keys are times. */
function keyed(fields) {
  const entries = Object.entries(fields);
  const points = entries.map(([key, value]) => [momentOf(key), numberOf(value)]);
  return points.length > 1 && points.every(([ms]) => ms !== undefined) ? seriesOf("", points) : [];
}

/** Returns the points in the order of time; none if no point has a time and a value. */
function seriesOf(name, points) {
  const timed = points.filter((point) => point[0] !== undefined);
  if (timed.length < points.length || !timed.some(([, value]) => value !== undefined)) return [];
  return [{ name, points: timed.sort(([a], [b]) => a - b) }];
}

const date = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/;

/** Returns a time in milliseconds since 1970, from a date and time, or from seconds or milliseconds of the years 2001 to 2286. */
function momentOf(value) {
  if (typeof value === "string" && date.test(value))
    return Number.isNaN(Date.parse(value)) ? undefined : Date.parse(value);
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (number >= 1e9 && number < 1e10) return number * 1000;
  return number >= 1e12 && number < 1e13 ? number : undefined;
}

/** Returns a number, also from a text. */
function numberOf(value) {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
