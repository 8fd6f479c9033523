import { codes } from '@tocsin/contract/codes'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { type ExportFormat, exportFormats } from '@tocsin/contract/export'
import { jobs } from '@tocsin/contract/files/job'
import { sizeText } from '@tocsin/contract/files/file'
import { DownloadOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call, fetchLarge } from '#api/call.ts'
import { save } from '#api/download.ts'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { invalidate } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '../AppModal.tsx'
import { DropMenu } from '../overlay/DropMenu.tsx'
import { confirm } from '../confirm.ts'
import { notify } from '../notify.ts'

type Props<Q extends z.ZodObject> = {
  /** The entity's two calls, created by `exports` of the contract; one format where the first takes none. */
  calls: { export: Endpoint & { query: Q }; exportLater?: Endpoint }
  /** The current filter of the list. */
  query: z.output<Q>
}

const formatText = { xlsx: 'exporting.xlsx', csv: 'exporting.csv' } as const

const isTooMany = (error: unknown) => error instanceof ApiError && error.code === codes.exportTooMany.code

type Underway = { abort: AbortController; bytes: number }

const Receiving = ({ bytes, onCancel }: { bytes: number; onCancel: () => void }) => {
  const { t } = useTranslation()
  return (
    <AppModal
      title={t('exporting.running')}
      footer={<Button onClick={onCancel}>{t('list.cancel')}</Button>}
      closable={false}
    >
      <Progress percent={100} status="active" showInfo={false} aria-label={t('exporting.running')} />
      <p aria-live="polite">
        {bytes > 0 ? t('exporting.received', { size: sizeText(bytes) }) : t('exporting.waiting')}
      </p>
    </AppModal>
  )
}

/** Exports the filtered rows as a spreadsheet: directly while small, in the background when large. */
export const ExportButton = <Q extends z.ZodObject>({ calls, query }: Props<Q>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [underway, setUnderway] = useState<Underway>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const later = async (exportLater: Endpoint, request: never) => {
    const agreed = await confirm({
      title: t('exporting.laterAsk'),
      text: t('exporting.laterText'),
      yes: t('exporting.later'),
    })
    if (!agreed) return
    await call(exportLater, request)
    notify.success(t('exporting.queued'))
    await invalidate(jobs.myList)
  }
  const now = async (request: never) => {
    const abort = new AbortController()
    running.current = abort
    setUnderway({ abort, bytes: 0 })
    const onBytes = (bytes: number) => setUnderway({ abort, bytes })
    try {
      save(await fetchLarge(calls.export, request, { signal: abort.signal, onBytes }))
      notify.success(t('exporting.done'))
    } finally {
      setUnderway(undefined)
    }
  }
  const start = async (format?: ExportFormat) => {
    if (!(await confirm({ title: t('list.exportAsk') }))) return
    // The query of the list and its format form the query of the calls, for every list.
    const item = { query: { ...query, lang, ...(format && { format }) } } as never
    const { exportLater } = calls
    try {
      await now(item).catch((error: unknown) => {
        if (running.current?.signal.aborted) return undefined
        return exportLater && isTooMany(error) ? later(exportLater, item) : Promise.reject(error as Error)
      })
    } catch (error) {
      showError(error)
    }
  }
  const items = exportFormats.map((key) => ({ key, label: t(formatText[key]), onClick: () => void start(key) }))
  return (
    <>
      {'format' in calls.export.query.shape ? (
        <DropMenu menu={{ items }}>
          <Button icon={<DownloadOutlined />}>{t('list.export')}</Button>
        </DropMenu>
      ) : (
        <Button icon={<DownloadOutlined />} onClick={() => void start()}>
          {t('list.export')}
        </Button>
      )}
      {underway && <Receiving bytes={underway.bytes} onCancel={() => underway.abort.abort()} />}
    </>
  )
}
