import type * as pulumi from "@pulumi/pulumi";

/** The arguments of an `…Output` function. Each argument, and each element of a list, can be an output. */
export type Inputs<Args> = {
  [Key in keyof Args]: Args[Key] extends string | number | undefined
    ? pulumi.Input<Args[Key]>
    : pulumi.Input<Exclude<Args[Key], unknown[]>> | pulumi.Input<pulumi.Input<Exclude<Args[Key], unknown[]>>[]>;
};
