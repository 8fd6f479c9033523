import { type DemoImported, demoItems } from '@tocsin/contract/demo/item'
import type { FileType } from '@tocsin/contract/files/file'
import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { invalidate } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { DropArea } from '#ui/upload/DropArea.tsx'
import { uploadLimits, checkFile } from '#ui/upload/limits.ts'

const sheets = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/x-cfb',
  'text/plain',
] as const satisfies FileType[]
const limits = uploadLimits(demoItems.import, sheets)

const Wrong = ({ wrong }: Pick<DemoImported, 'wrong'>) => {
  const { t } = useTranslation()
  return (
    <Alert
      type="error"
      title={t('demo.importWrong', { n: wrong.length })}
      description={
        <ul className="demo-wrong">
          {wrong.slice(0, 50).map(({ line, message }, at) => (
            <li key={`${line}-${at}`}>{t('demo.importLine', { line, message })}</li>
          ))}
        </ul>
      }
    />
  )
}

/** Imports rows from a spreadsheet, all or none; errors are shown by line. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<DemoImported['wrong']>([])
  const send = async (file: File) => {
    const refused = checkFile(file, limits)
    if (refused) return showError(refused)
    if (!(await confirm({ title: t('demo.importAsk'), text: file.name }))) return
    setBusy(true)
    try {
      const { created, wrong: bad } = await upload(demoItems.import, { files: { file: [file] } })
      setWrong(bad)
      if (bad.length > 0) return
      notify.success(t('demo.imported', { n: created }))
      await invalidate(demoItems.page)
      onClose()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AppModal title={t('demo.import')} footer={null} onCancel={onClose}>
      <Flex vertical gap="middle">
        <Button
          icon={<DownloadOutlined />}
          className="demo-own-width"
          onClick={() => void download(demoItems.template, { query: { lang } }).catch(showError)}
        >
          {t('demo.importTemplate')}
        </Button>
        <DropArea limits={limits} disabled={busy} onFiles={([file]) => file && void send(file)} />
        {wrong.length > 0 && <Wrong wrong={wrong} />}
      </Flex>
    </AppModal>
  )
}
