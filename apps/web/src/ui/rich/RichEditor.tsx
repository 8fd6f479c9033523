import { Skeleton } from 'antd'
import { later } from '../late/later.tsx'
import { RichText } from './RichText.tsx'

export type RichEditorProps = {
  /** What it is, for who hears the page. */
  label: string
  /** HTML; empty for nothing. */
  value?: string
  onChange?: (html: string) => void
  id?: string
}

const Editing = later<RichEditorProps>(async () => (await import('./Editing.tsx')).Editing, {
  before: <Skeleton active />,
})

/** A text with headings, lists, links and pictures; HTML in and out. A third of a megabyte that only writers need. */
export const RichEditor = ({ disabled = false, ...rest }: RichEditorProps & { disabled?: boolean }) =>
  disabled ? <RichText html={rest.value ?? ''} /> : <Editing {...rest} />
