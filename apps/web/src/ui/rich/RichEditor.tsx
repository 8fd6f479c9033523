import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'

export type RichEditorProps = {
  /** What it is, for who hears the page. */
  label: string
  /** HTML; empty for nothing. */
  value?: string
  onChange?: (html: string) => void
  id?: string
}

// A third of a megabyte that only writers need.
const Editing = lazy(async () => ({ default: (await import('./Editing.tsx')).Editing }))

/** A text with headings, lists, links and pictures; HTML in and out. */
export const RichEditor = (props: RichEditorProps) => (
  <Suspense fallback={<Skeleton active />}>
    <Editing {...props} />
  </Suspense>
)
