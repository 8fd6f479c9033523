import { Skeleton } from 'antd'
import { later } from '../late/later.tsx'
import type { RichEditorProps } from './Editing.tsx'
import { RichText } from './RichText.tsx'

const Editing = later<RichEditorProps>(async () => (await import('./Editing.tsx')).Editing, {
  before: <Skeleton active />,
})

/** A text with headings, lists, links and pictures; HTML in and out. A third of a megabyte that only writers need. */
export const RichEditor = ({ disabled = false, ...rest }: RichEditorProps & { disabled?: boolean }) =>
  disabled ? <RichText html={rest.value ?? ''} /> : <Editing {...rest} />
