import type * as pulumi from "@pulumi/pulumi";

/** The arguments of an `…Output` form: each can be an output, and so can an element of a list. */
export type Inputs<Args> = {
  [Key in keyof Args]: Args[Key] extends string | number | undefined
    ? pulumi.Input<Args[Key]>
    : pulumi.Input<Exclude<Args[Key], unknown[]>> | pulumi.Input<pulumi.Input<Exclude<Args[Key], unknown[]>>[]>;
};
