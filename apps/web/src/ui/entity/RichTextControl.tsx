import { labelIn } from '@tocsin/contract/field'
import type { ComponentProps } from 'react'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import { RichEditor } from '../rich/RichEditor.tsx'

export type RichTextProps = { of: z.ZodType } & Omit<ComponentProps<typeof RichEditor>, 'label'>

/** A text with headings, lists, links and pictures, named by the label of its schema. */
export const RichTextControl = ({ of, ...rest }: RichTextProps) => (
  <RichEditor label={labelIn(useLang(), of)} {...rest} />
)
