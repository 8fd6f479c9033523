import { type JobView, jobs } from '@tocsin/contract/files/job'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'

/** Asks first, because written rows may stay. */
export const CancelImportButton = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const cancel = useApiMutation(jobs.cancel)
  const ask = async () => {
    if (await confirm({ title: t('importing.cancelAsk'), danger: true })) cancel.mutate({ body: { id } })
  }
  return (
    <Button danger loading={cancel.isPending} onClick={() => void ask()}>
      {t('importing.cancel')}
    </Button>
  )
}

type Props = { job: JobView | undefined; writing: boolean }

/** The progress of the check, whose total is unknown, or of the writing. */
export const ImportProgress = ({ job, writing }: Props) => {
  const { t } = useTranslation()
  const { done = 0, total = 0 } = job ?? {}
  const words = writing ? t('importing.writing', { done, total: total ?? 0 }) : t('importing.checking', { done })
  const percent = writing && total ? Math.floor((done / total) * 100) : 100
  return (
    <>
      <p aria-live="polite">{!job || job.state === 'QUEUED' ? t('importing.queued') : words}</p>
      <Progress percent={percent} status="active" showInfo={writing} aria-label={words} />
      <p className="import-note">{t('importing.leave')}</p>
      {job && <CancelImportButton id={job.id} />}
    </>
  )
}
