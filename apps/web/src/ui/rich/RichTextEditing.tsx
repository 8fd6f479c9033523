import Image from '@tiptap/extension-image'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { theme } from 'antd'
import { useEffect, useRef } from 'react'
import { ownPicture, outsideLink } from './sanitize.ts'
import { withoutHandlers } from './handlers.ts'
import { insertPictures, picturesAmong } from './pictures.ts'
import { RichToolbar } from './RichToolbar.tsx'
import './rich.css'

export type RichEditorProps = {
  /** The accessible name. */
  label: string
  /** HTML; an empty string for no text. */
  value?: string
  onChange?: (html: string) => void
  id?: string
}

/** Removes pasted pictures of other sites, because every reader would load them from there. */
const OwnImage = Image.extend({
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (element) => ownPicture.test(element.getAttribute('src') ?? '') && null },
  ],
})

const extensions = [
  StarterKit.configure({
    // It would leave an empty paragraph at the end.
    trailingNode: false,
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      protocols: ['mailto'],
      isAllowedUri: (href) => outsideLink.test(href),
    },
  }),
  OwnImage,
]

const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML())

/**
 * Pictures that are pasted or dropped as files, without a text that contains them, are uploaded like chosen ones.
 * @returns whether.
 */
const take = (editor: Editor, data: DataTransfer | null): boolean => {
  const given = data?.getData('text/plain').trim() ? [] : picturesAmong(data?.files)
  if (given.length > 0) void insertPictures(editor, given)
  return given.length > 0
}

export const RichTextEditing = ({ label, value = '', onChange, id }: RichEditorProps) => {
  const { token } = theme.useToken()
  const said = useRef(value)
  const editor: Editor = useEditor({
    extensions,
    content: value,
    editorProps: {
      transformPastedHTML: withoutHandlers,
      handlePaste: (_, event) => take(editor, event.clipboardData),
      handleDrop: (_, event) => take(editor, event.dataTransfer),
      attributes: {
        class: 'rich',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(id && { id }),
      },
    },
    onUpdate: ({ editor: now }) => {
      said.current = htmlOf(now)
      onChange?.(said.current)
    },
  })
  useEffect(() => {
    // The form set another value, such as another user's edit.
    if (value === said.current) return
    said.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  return (
    <div
      className="rich-editor"
      style={{ borderColor: token.colorBorder, borderRadius: token.borderRadius, background: token.colorBgContainer }}
    >
      <RichToolbar editor={editor} />
      <EditorContent editor={editor} />
    </div>
  )
}
