import * as z from "zod";

// Apart from except.ts, whose declarations users' programs reach: they compile without zod.

/** The length of a leap year. */
const longestDays = 366;

/** Returns the date in this number of days from now, in UTC. */
export const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The form of exceptions in a program and in `--policy-pack-config`. */
export const exceptionList = z.array(
  z.strictObject({
    resource: z
      .string()
      .regex(/^[^:].*::.+$/, { error: "must be a URN, or type and name such as IpsecShare::bastion" }),
    until: z.iso.date({ error: "must be a day such as 2027-03-01" }).refine((day) => day <= dayIn(longestDays), {
      error: `must be at most ${longestDays} days ahead, so that someone reviews it`,
    }),
    reason: z.string().trim().min(1, { error: "must say why" }),
  }),
);
