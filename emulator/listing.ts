import { invalid } from "./http";
import type { Settings } from "./settings";

/** Spec: Paged list envelope. */
export interface Page<Item> {
  content: Item[];
  pageable: { pageNumber: number; pageSize: number };
  totalElements: number;
  totalPages: number;
}

type Value = string | number | null;

interface Question {
  settings: Settings;
  query: URLSearchParams;
  /** Properties to filter and sort by. */
  properties: readonly string[];
  /** The meaning of a repeated filter. */
  repeated: "any" | "first";
}

const control = ["page", "size", "sort"];

/** Filters, sorts and returns a page (spec: Endpoints). It refuses a wrong property with 400. */
export function listPage<Item extends object>(items: Item[], question: Question): Page<Item> {
  const { settings, query, properties } = question;
  const stray = [...query.keys()].find((key) => !control.includes(key) && !properties.includes(key));
  if (stray !== undefined && settings.unknownQuery === "refused") throw invalid(settings, stray, "known property");

  const pageNumber = integer(settings, query, "page", 0, 0);
  const asked = integer(settings, query, "size", settings.defaultPageSize, 1);
  if (asked > settings.maxPageSize && settings.oversizedPage === "refused") {
    throw invalid(settings, "size", `integer from 1 to ${settings.maxPageSize}`);
  }
  const pageSize = Math.min(asked, settings.maxPageSize);

  const found = items.filter(matches(question)).sort(inOrder(question));
  return {
    content: found.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize),
    pageable: { pageNumber, pageSize },
    totalElements: found.length,
    totalPages: Math.ceil(found.length / pageSize),
  };
}

function integer(settings: Settings, query: URLSearchParams, name: string, fallback: number, least: number): number {
  const given = query.get(name);
  if (given === null) return fallback;
  const value = /^[0-9]{1,9}$/.test(given) ? Number(given) : -1;
  if (value < least) throw invalid(settings, name, "integer");
  return value;
}

function matches({ settings, query, properties, repeated }: Question): (item: object) => boolean {
  const honoured = (property: string) =>
    Array.isArray(settings.filtersHonoured) ? settings.filtersHonoured.includes(property) : settings.filtersHonoured;
  const filters = properties
    .filter((property) => query.has(property) && honoured(property))
    .map((property) => {
      const values = query.getAll(property);
      if (property === "ingressPort" && !values.every((value) => /^[0-9]+$/.test(value))) {
        throw invalid(settings, property, "integer");
      }
      return { property, values: new Set(repeated === "any" ? values : values.slice(0, 1)) };
    });
  return (item) => filters.every(({ property, values }) => values.has(String(valueOf(item, property) ?? "")));
}

function inOrder({ settings, query, properties }: Question): (a: object, b: object) => number {
  const asked = query.getAll("sort");
  const orders = (asked.length > 0 ? asked : settings.defaultSort === null ? [] : [settings.defaultSort]).map(
    (sort) => {
      const [property = "", direction = "", ...more] = sort.split(",");
      if (!properties.includes(property) || !["asc", "desc"].includes(direction) || more.length > 0) {
        throw invalid(settings, "sort", "<property>,<asc|desc>");
      }
      return { property, sign: direction === "asc" ? 1 : -1 };
    },
  );
  return (a, b) => {
    for (const { property, sign } of orders) {
      const order = compare(valueOf(a, property), valueOf(b, property));
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

const valueOf = (item: object, property: string): Value => (item as Record<string, Value>)[property] ?? null;

function compare(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}
