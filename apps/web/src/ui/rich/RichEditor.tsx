import { Skeleton } from 'antd'
import { lazyComponent } from '../lazy/lazy-component.tsx'
import type { RichEditorProps } from './RichTextEditing.tsx'
import { RichText } from './RichText.tsx'

const RichTextEditing = lazyComponent<RichEditorProps>(
  async () => (await import('./RichTextEditing.tsx')).RichTextEditing,
  {
    before: <Skeleton active />,
  },
)

/** A text with headings, lists, links and pictures; HTML in and out. A third of a megabyte, loaded only by editors. */
export const RichEditor = ({ disabled = false, ...rest }: RichEditorProps & { disabled?: boolean }) =>
  disabled ? <RichText html={rest.value ?? ''} /> : <RichTextEditing {...rest} />
