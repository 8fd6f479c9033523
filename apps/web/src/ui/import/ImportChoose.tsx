import { type FileType } from '@tocsin/contract/files/file'
import type { importEndpoints, ImportQuery } from '@tocsin/contract/files/import'
import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Form, Progress } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { useLang } from '#texts/i18n.ts'
import { DropArea, UploadLimitsText } from '#ui/upload/DropArea.tsx'
import { uploadLimits, checkFile } from '#ui/upload/limits.ts'
import type { ImportDefinition, ImportOptions } from './import-definition.ts'

const sheetTypes = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/x-cfb',
  'text/plain',
] as const satisfies FileType[]

type Props = { definition: ImportDefinition; options: ImportOptions; onStarted: (id: number) => void }
/** The query is the one of ImportQuery, with the options that the entity's own query knows. */
type StartCall = ReturnType<typeof importEndpoints<typeof ImportQuery>>['import']
type Sending = { name: string; percent: number }

/** First step: template, options and file. Choosing a file uploads it and starts the check. */
export const ImportChoose = ({ definition, options: chosen, onStarted }: Props) => {
  const { endpoints, Options, canUpdate = true, useTexts } = definition
  const texts = useTexts()
  const limits = useMemo(() => uploadLimits(endpoints.import, sheetTypes), [endpoints])
  const { t } = useTranslation()
  const lang = useLang()
  const [updateSupport, setUpdate] = useState(false)
  const [options, setOptions] = useState(chosen)
  const [sending, setSending] = useState<Sending>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const send = async (file: File) => {
    const refused = checkFile(file, limits)
    if (refused) return showError(refused)
    const { name } = file
    const controller = new AbortController()
    abort.current = controller
    setSending({ name, percent: 0 })
    try {
      const input = { query: { ...options, dryRun: true, updateSupport }, files: { file: [file] } }
      const onProgress = (part: number) => setSending({ name, percent: Math.floor(part * 100) })
      const { id } = await upload(endpoints.import as StartCall, input, { signal: controller.signal, onProgress })
      onStarted(id)
    } catch (error) {
      if (!controller.signal.aborted) showError(error)
      setSending(undefined)
    }
  }
  if (sending)
    return (
      <>
        <p aria-live="polite">{t('importing.sending', { name: sending.name })}</p>
        <Progress percent={sending.percent} aria-label={t('importing.sending', { name: sending.name })} />
        <Button onClick={() => (abort.current?.abort(), setSending(undefined))}>{t('list.cancel')}</Button>
      </>
    )
  return (
    <>
      <Alert type="info" showIcon title={texts.help ?? t('importing.help')} className="import-part" />
      <Button
        icon={<DownloadOutlined />}
        onClick={() => void download(endpoints.template, { query: { lang } }).catch(showError)}
        className="import-part"
      >
        {t('importing.template')}
      </Button>
      <Form layout="vertical">
        {Options && <Options value={options} onChange={setOptions} />}
        {canUpdate && (
          <Form.Item>
            <Checkbox checked={updateSupport} onChange={({ target }) => setUpdate(target.checked)}>
              {texts.updateSupport ?? t('importing.update')}
            </Checkbox>
          </Form.Item>
        )}
      </Form>
      <DropArea limits={limits} onFiles={([file]) => file && void send(file)}>
        <InboxOutlined className="drop-icon" aria-hidden />
        <span>{t('importing.drop')}</span>
        <span className="drop-limits">
          <UploadLimitsText limits={limits} />
        </span>
      </DropArea>
    </>
  )
}
