/** A refusal: its code, its sentence in both languages. `{name}` is filled from the refusal's params. */
export type Code = { code: number; zh: string; en: string }

export const code = (n: number, zh: string, en: string): Code => ({ code: n, zh, en })
