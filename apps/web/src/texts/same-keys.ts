/** The same keys, any words: a language that lacks a key or has one too many does not compile. */
export type SameKeys<T extends Record<string, string>> = { readonly [K in keyof T]: string }
