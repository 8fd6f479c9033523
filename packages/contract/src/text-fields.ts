import { z } from 'zod'
import { findUnseen, isVisible, normalizeCode, normalizePhone, normalizeText, trimText } from './text.ts'

/** A name on one line: visible, and without invisible characters (control, format, direction, separators). */
export const nameText = (max: number) =>
  z
    .string()
    .overwrite(trimText)
    .min(1)
    .max(max)
    .check(({ value, issues }) => {
      const bound = findUnseen(value)
      if (bound) issues.push({ code: 'custom', params: { rule: 'unseen', bound }, input: value })
      else if (value && !isVisible(value)) issues.push({ code: 'custom', params: { rule: 'required' }, input: value })
    })

/** A code, number or address as users paste it; further rules follow the call. */
export const codeText = () => z.string().overwrite(normalizeCode)

/** A telephone number as users write it; further rules follow the call. */
export const phoneText = () => z.string().overwrite(normalizePhone)

/** The keyword of a list. */
export const keywordText = (max: number) => z.string().overwrite(normalizeText).max(max)
