import {
  BoldOutlined,
  CodeOutlined,
  ItalicOutlined,
  LineOutlined,
  LinkOutlined,
  OrderedListOutlined,
  PictureOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons'
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react'
import { Button, theme } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { rich } from '#texts/console/rich.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { choosePictures, insertPictures } from './pictures.ts'

type Tool = {
  key: keyof typeof rich
  icon: ReactNode
  run: (chain: ChainedCommands) => ChainedCommands
  /** The node or mark that it toggles; none for a one-time command. */
  of?: readonly [name: string, attributes?: Record<string, unknown>]
}

const heading = (key: Tool['key'], level: 1 | 2 | 3): Tool => ({
  key,
  icon: <b>{`H${level}`}</b>,
  run: (chain) => chain.toggleHeading({ level }),
  of: ['heading', { level }],
})

const structure: readonly Tool[] = [
  heading('heading1', 1),
  heading('heading2', 2),
  heading('heading3', 3),
  { key: 'bold', icon: <BoldOutlined />, run: (chain) => chain.toggleBold(), of: ['bold'] },
  { key: 'italic', icon: <ItalicOutlined />, run: (chain) => chain.toggleItalic(), of: ['italic'] },
  { key: 'underline', icon: <UnderlineOutlined />, run: (chain) => chain.toggleUnderline(), of: ['underline'] },
  { key: 'strike', icon: <StrikethroughOutlined />, run: (chain) => chain.toggleStrike(), of: ['strike'] },
  { key: 'bullets', icon: <UnorderedListOutlined />, run: (chain) => chain.toggleBulletList(), of: ['bulletList'] },
  { key: 'numbers', icon: <OrderedListOutlined />, run: (chain) => chain.toggleOrderedList(), of: ['orderedList'] },
  { key: 'quote', icon: <b>❝</b>, run: (chain) => chain.toggleBlockquote(), of: ['blockquote'] },
  { key: 'code', icon: <CodeOutlined />, run: (chain) => chain.toggleCodeBlock(), of: ['codeBlock'] },
  { key: 'line', icon: <LineOutlined />, run: (chain) => chain.setHorizontalRule() },
]
const steps: readonly Tool[] = [
  { key: 'undo', icon: <UndoOutlined />, run: (chain) => chain.undo() },
  { key: 'redo', icon: <RedoOutlined />, run: (chain) => chain.redo() },
]

/** Arrow keys move from tool to tool; the toolbar is a single tab stop. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const tools = [...event.currentTarget.querySelectorAll('button')]
  const at = tools.findIndex((tool) => tool === document.activeElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tools.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  tools[(to + tools.length) % tools.length]?.focus()
}

export const RichToolbar = ({ editor }: { editor: Editor }) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const [stop, setStop] = useState('heading1')
  const [linking, setLinking] = useState(false)
  const [sending, setSending] = useState(false)
  const addPictures = async () => {
    const chosen = await choosePictures()
    setSending(true)
    await insertPictures(editor, chosen)
    setSending(false)
    if (!editor.isDestroyed) editor.commands.focus()
  }
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => [
      ...structure.flatMap(({ key, of }) => (of && now.isActive(...of) ? [key] : [])),
      now.isActive('link') && 'link',
    ],
  })
  const tool = (key: Tool['key'], icon: ReactNode, press: () => void, { switches = false, busy = false }) => {
    const pressed = on.includes(key)
    return (
      <Button
        key={key}
        size="small"
        type="text"
        icon={icon}
        loading={busy}
        tabIndex={key === stop ? 0 : -1}
        aria-label={t(`rich.${key}`)}
        title={t(`rich.${key}`)}
        {...(switches && { 'aria-pressed': pressed })}
        style={pressed ? { background: token.controlItemBgActive, color: token.colorLink } : {}}
        onFocus={() => setStop(key)}
        // The text keeps the cursor and the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={press}
      />
    )
  }
  const plain = ({ key, icon, run, of }: Tool) =>
    tool(key, icon, () => void run(editor.chain().focus()).run(), { switches: of !== undefined })
  return (
    <div
      role="toolbar"
      aria-label={t('rich.toolbar')}
      className="rich-toolbar"
      style={{ borderColor: token.colorBorderSecondary }}
      onKeyDown={walk}
    >
      {structure.map(plain)}
      {tool('link', <LinkOutlined />, () => setLinking(true), { switches: true })}
      {tool('picture', <PictureOutlined />, () => void addPictures(), { busy: sending })}
      {steps.map(plain)}
      {linking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  )
}
