/** The provider's own redactor. `npm run redactor` bundles it from `provider/http/redact.ts`. */
export declare class Redactor {
  /** Secrets of less than 4 characters are not redacted. */
  add(secret: string): void;
  /** Returns the text with every known secret as `[secret]`, in each spelling that the provider knows. */
  clean(text: string): string;
}
