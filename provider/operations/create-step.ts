/** The facts that decide what a create does next. */
export interface Sighting {
  /** The creation record that this resource wrote. */
  record: "none" | "with id" | "without id";
  /** A match is a resource that the POST of the record can have created. Without a record, it is an identical one. */
  shows: "nothing" | "a match";
  /** True while the POST of the record may still take effect. */
  canTakeEffect: boolean;
  /** The setting `frontdoor:takeOver`, as far as it applies to this create. */
  takeOver: "interrupted" | "alike" | "never";
}

export type CreateStep = "post" | "poll" | "resume" | "adopt" | "refuse" | "refuse to resume";

/** Decides what a create does next: the table "Creates" of docs/how-it-works.md. */
export function createStep({ record, shows, canTakeEffect, takeOver }: Sighting): CreateStep {
  switch (record) {
    case "none":
      if (shows === "nothing") return "post";
      return takeOver === "alike" ? "adopt" : "refuse";
    case "with id":
    case "without id":
      if (shows === "a match") return takeOver === "never" ? "refuse to resume" : "resume";
      return canTakeEffect ? "poll" : "post";
  }
}
