import type { Editor } from '@tiptap/react'
import { Button, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppModal } from '../AppModal.tsx'
import { outsideLink } from './sanitize.ts'

/** A bare host name is completed to an address. */
const meant = (text: string): string => (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? `https://${text}` : text)

/** The link of the selection; without a selection the address itself is inserted. */
export const LinkDialog = ({ editor, onClose }: { editor: Editor; onClose: () => void }) => {
  const { t } = useTranslation()
  const present = String(editor.getAttributes('link')['href'] ?? '')
  const [text, setText] = useState(present)
  const [wrong, setWrong] = useState(false)
  const leave = () => {
    onClose()
    editor.commands.focus()
  }
  const save = () => {
    const href = meant(text.trim())
    if (!outsideLink.test(href)) return setWrong(true)
    const chain = editor.chain().extendMarkRange('link')
    if (editor.state.selection.empty && !present)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    leave()
  }
  const remove = () => {
    editor.chain().extendMarkRange('link').unsetLink().run()
    leave()
  }
  return (
    <AppModal
      title={t('rich.link')}
      onCancel={leave}
      footer={
        <Flex gap="small" justify="end">
          {present !== '' && (
            <Button danger onClick={remove}>
              {t('rich.unlink')}
            </Button>
          )}
          <Button type="primary" onClick={save}>
            {t('list.save')}
          </Button>
        </Flex>
      }
    >
      <Input
        autoFocus
        value={text}
        maxLength={2000}
        inputMode="url"
        aria-label={t('rich.address')}
        placeholder="https://"
        {...(wrong && { status: 'error' as const })}
        onChange={(event) => {
          setText(event.target.value)
          setWrong(false)
        }}
        onPressEnter={save}
      />
      {wrong && <Typography.Text type="danger">{t('rich.wrongAddress')}</Typography.Text>}
    </AppModal>
  )
}
