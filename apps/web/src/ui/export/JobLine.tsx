import { isMoving, type JobView, jobs } from '@tocsin/contract/files/job'
import { importEndpoints, ImportQuery } from '@tocsin/contract/files/import'
import { CloseOutlined, DownloadOutlined } from '@ant-design/icons'
import { Button, Flex, Progress, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { download } from '#api/download.ts'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { errorText } from '#api/error-display.ts'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { RelativeTime } from '../RelativeTime.tsx'
import { confirm } from '../confirm.ts'
import { HasPerm } from '../permission/HasPerm.tsx'
import { EnumTag } from '../EnumTag.tsx'
import './export.css'

const percentOf = ({ done, total }: JobView): number => (total ? Math.floor((done / total) * 100) : 0)

const useNameOf = () => {
  const { t } = useTranslation()
  const lang = useLang()
  return ({ import: imported, title }: JobView) => {
    const name = imported && (lang === 'en' ? imported.titleEn : imported.title)
    return `${name ? t('job.import', { name }) : t('job.export')} · ${title}`
  }
}

const Why = ({ error }: Pick<JobView, 'error'>) => {
  const lang = useLang()
  if (!error) return null
  return <Typography.Text type="danger">{errorText(new ApiError(error), lang)}</Typography.Text>
}

/** The call that returns the result, which stands beside the one that started the import. */
const resultOf = (path: string) => {
  // The server sends the path of an endpoint.
  const base = path.replace(/\/import$/, '') as `/${string}`
  return importEndpoints({ permission: 'token', scope: 'self', path: base, title: '', titleEn: '', query: ImportQuery })
    .result
}

/** The finished file; the result of an import is written on request. */
const Fetch = ({ job: { id, url, counts, import: imported }, name }: { job: JobView; name: string }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const words = t('job.download', { name })
  const look = { type: 'link', icon: <DownloadOutlined />, title: words, 'aria-label': words } as const
  if (url) return <Button {...look} href={url} download />
  if (!imported || !counts['created']) return null
  const call = resultOf(imported.path)
  return <Button {...look} onClick={() => void download(call, { query: { id, lang } }).catch(showError)} />
}

/** One own job: its state, its error, its file; `onLeave` when it leads to another page. */
export const JobLine = ({ job, onLeave }: { job: JobView; onLeave: () => void }) => {
  const { t } = useTranslation()
  const name = useNameOf()(job)
  const cancel = useApiMutation(jobs.cancel)
  const { id, state, done, total, url, createdAt } = job
  const ask = async () => {
    if (await confirm({ title: t('job.cancelAsk'), danger: true })) cancel.mutate({ body: { id } })
  }
  return (
    <li className="job">
      <Flex gap="small" align="center" justify="space-between">
        <span className="job-name">{name}</span>
        <EnumTag kind="jobState" value={state} />
      </Flex>
      {state === 'RUNNING' && <Progress percent={percentOf(job)} showInfo={total !== null} size="small" />}
      <Flex gap="small" align="center" justify="space-between">
        <Typography.Text type="secondary">
          <RelativeTime at={createdAt} />
          {isMoving(state) && ` · ${total ? t('job.of', { done, total }) : t('job.soFar', { done })}`}
        </Typography.Text>
        <Fetch job={job} name={name} />
        {(isMoving(state) || state === 'READY') && (
          <Button
            type="text"
            icon={<CloseOutlined />}
            aria-label={t('job.cancel', { name })}
            title={t('job.cancel', { name })}
            onClick={() => void ask()}
          />
        )}
      </Flex>
      {state === 'DONE' && !url && !job.import && <Typography.Text type="secondary">{t('job.gone')}</Typography.Text>}
      {state === 'READY' && job.import && (
        // The page opens the waiting import.
        <HasPerm perms={job.import.permission}>
          <Link to={`${job.import.page}?import=true`} onClick={onLeave}>
            {t('job.decide')}
          </Link>
        </HasPerm>
      )}
      <Why error={job.error} />
    </li>
  )
}
