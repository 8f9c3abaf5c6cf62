/** How the engine spells a value that is not known before the run. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine spells a secret, beside its `value`: with it an output is encrypted whatever the program says. */
export const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
