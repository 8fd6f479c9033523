import { javascript } from '@codemirror/lang-javascript'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { defaultHighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import './codegen.css'

const languageOf = (path: string): Extension =>
  path.endsWith('.sql') ? sql({ dialect: PostgreSQL }) : javascript({ typescript: true, jsx: path.endsWith('x') })

const reading: Extension = [
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  syntaxHighlighting(defaultHighlightStyle),
  // Read-only, but focusable: keys move the caret and select.
  EditorState.readOnly.of(true),
]

/** A source file to read. */
export const CodeView = ({ path, code }: { path: string; code: string }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return undefined
    const label = EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0' })
    const view = new EditorView({ doc: code, extensions: [reading, languageOf(path), label], parent: place.current })
    return () => view.destroy()
  }, [path, code])
  return <div ref={place} className="code-view" />
}
