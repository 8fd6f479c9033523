import { Skeleton } from 'antd'
import { later } from '../late/later.tsx'

export type RichEditorProps = {
  /** What it is, for who hears the page. */
  label: string
  /** HTML; empty for nothing. */
  value?: string
  onChange?: (html: string) => void
  id?: string
}

/** A text with headings, lists, links and pictures; HTML in and out. A third of a megabyte that only writers need. */
export const RichEditor = later<RichEditorProps>(async () => (await import('./Editing.tsx')).Editing, {
  before: <Skeleton active />,
})
