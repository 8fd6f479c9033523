import { demoSignatures } from '@tocsin/contract/demo/signature'
import { type StoredFileInfo, files } from '@tocsin/contract/files/file'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Slider, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#api/call.ts'
import { save } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { usePad } from './use-pad.ts'
import '../demo.css'

const Kept = ({ file }: { file: StoredFileInfo }) => {
  const { t } = useTranslation()
  return (
    <Card size="small" title={t('demo.signKept')}>
      <img className="demo-signature" src={file.url} alt={t('demo.signKept')} />
      <Typography.Paragraph type="secondary">{file.name}</Typography.Paragraph>
    </Card>
  )
}

/** The saved signature. */
const Saved = () => {
  const { data, error, refetch } = useQuery(inlineQuery(demoSignatures.get))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data ? <Kept file={data} /> : null
}

/** Uploads a picture and saves it as the user's signature. */
const useKeep = () => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const update = useApiMutation(demoSignatures.update)
  const keep = async (picture: File) => {
    setBusy(true)
    const made = await upload(files.upload, { files: { file: [picture] } }).catch(showError)
    setBusy(false)
    if (!made) return
    update.mutate({ body: { fileId: made.id } }, { onSuccess: () => notify.success(t('demo.signSaved')) })
  }
  return { keep, busy: busy || update.isPending }
}

/** A handwritten name, stored as a picture here or on the server. */
export const SignaturePage = () => {
  const { t } = useTranslation()
  const [color, setColor] = useState('#1f1f1f')
  const [width, setWidth] = useState(3)
  const { keep, busy } = useKeep()
  const mayKeep = useHasPermission('demo:signature:update')
  const { ref, empty, clear, undo, picture: drawn } = usePad({ color, width })
  const picture = async () => {
    const blob = await drawn()
    return blob && new File([blob], 'signature.png', { type: 'image/png' })
  }
  const keepHere = async () => {
    const file = await picture()
    if (file) save({ name: file.name, file })
  }
  const keepThere = async () => {
    const file = await picture()
    if (file) await keep(file)
  }
  return (
    <Flex vertical gap="middle">
      <Card size="small" title={t('demo.signTitle')}>
        <Flex wrap gap="middle" align="center" className="demo-pen">
          <label className="demo-width" htmlFor="pen-color">
            <span>{t('demo.signColor')}</span>
            <input id="pen-color" type="color" value={color} onChange={({ target }) => setColor(target.value)} />
          </label>
          <label className="demo-width" htmlFor="pen-width">
            <span>{t('demo.signWidth')}</span>
            <Slider
              id="pen-width"
              ariaLabelForHandle={t('demo.signWidth')}
              min={1}
              max={8}
              value={width}
              onChange={setWidth}
            />
          </label>
        </Flex>
        <canvas ref={ref} className="demo-paper" aria-label={t('demo.signTitle')} />
        <Flex wrap gap="small">
          <Button disabled={empty} onClick={() => void keepHere()}>
            {t('demo.signPicture')}
          </Button>
          {mayKeep && (
            <Button type="primary" disabled={empty} loading={busy} onClick={() => void keepThere()}>
              {t('demo.signServer')}
            </Button>
          )}
          <Button disabled={empty} onClick={undo}>
            {t('demo.signUndo')}
          </Button>
          <Button disabled={empty} onClick={clear}>
            {t('demo.signClear')}
          </Button>
        </Flex>
      </Card>
      <Saved />
    </Flex>
  )
}
