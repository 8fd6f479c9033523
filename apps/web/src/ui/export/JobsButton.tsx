import { isMoving, type JobView, jobs } from '@tocsin/contract/system/job'
import { userImports } from '@tocsin/contract/system/user-import'
import { CloseOutlined, CloudDownloadOutlined, DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Badge, Button, Drawer, Flex, Progress, Typography } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/notices.ts'
import { errorText } from '#api/present.ts'
import { read, useWrite } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { Ago } from '../Ago.tsx'
import { confirm } from '../confirm.ts'
import { Nothing } from '../list/Rows.tsx'
import { notify } from '../notify.ts'
import { StateTag } from '../StateTag.tsx'
import './export.css'

/** Figures while it runs; that it has ended comes as an event. */
const WATCH_MS = 1500

const percentOf = ({ done, total }: JobView): number => (total ? Math.floor((done / total) * 100) : 0)

const useMyJobs = () =>
  useQuery({
    ...read(jobs.myList),
    refetchInterval: ({ state }) => (state.data?.some((one) => isMoving(one.state)) ? WATCH_MS : false),
  })

/** Says once what became of a job that was seen under way. */
const useOutcome = (list: readonly JobView[] | undefined) => {
  const { t } = useTranslation()
  const moving = useRef(new Set<number>())
  useEffect(() => {
    for (const { id, state, title: name } of list ?? []) {
      if (isMoving(state)) moving.current.add(id)
      else if (moving.current.delete(id)) {
        if (state === 'DONE') notify.success(t('job.finished', { name }))
        if (state === 'READY') notify.info(t('job.ready', { name }))
        if (state === 'FAILED') notify.error(t('job.failed', { name }))
      }
    }
  }, [list, t])
}

const useNameOf = () => {
  const { t } = useTranslation()
  return ({ name, title }: JobView) => `${name === 'user-import' ? t('job.userImport') : t('job.export')} · ${title}`
}

const Why = ({ error }: Pick<JobView, 'error'>) => {
  const lang = useLang()
  if (!error) return null
  return <Typography.Text type="danger">{errorText(new ApiError(error), lang)}</Typography.Text>
}

/** The finished file; the result of an import is written when it is asked for. */
const Fetch = ({ job: { id, url, counts }, name }: { job: JobView; name: string }) => {
  const { t } = useTranslation()
  const words = t('job.download', { name })
  const look = { type: 'link', icon: <DownloadOutlined />, title: words, 'aria-label': words } as const
  if (url) return <Button {...look} href={url} download />
  if (!counts['created']) return null
  return <Button {...look} onClick={() => void download(userImports.result, { query: { id } }).catch(showError)} />
}

const One = ({ job }: { job: JobView }) => {
  const { t } = useTranslation()
  const name = useNameOf()(job)
  const cancel = useWrite(jobs.cancel)
  const { id, state, done, total, url, createdAt } = job
  const ask = async () => {
    if (await confirm({ title: t('job.cancelAsk'), danger: true })) cancel.mutate({ body: { id } })
  }
  return (
    <li className="job">
      <Flex gap="small" align="center" justify="space-between">
        <span className="job-name">{name}</span>
        <StateTag kind="jobState" value={state} />
      </Flex>
      {state === 'RUNNING' && <Progress percent={percentOf(job)} showInfo={total !== null} size="small" />}
      <Flex gap="small" align="center" justify="space-between">
        <Typography.Text type="secondary">
          <Ago at={createdAt} />
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
      {state === 'DONE' && !url && job.name !== 'user-import' && (
        <Typography.Text type="secondary">{t('job.gone')}</Typography.Text>
      )}
      <Why error={job.error} />
    </li>
  )
}

/** One's own work in the background, above every page: how much runs, what is finished, its files. */
export const JobsButton = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { data, refetch } = useMyJobs()
  useOutcome(data)
  const moving = data?.filter(({ state }) => isMoving(state)).length ?? 0
  // Who never had a job needs no button for them.
  if (!data || (data.length === 0 && !open)) return null
  const words = moving > 0 ? t('job.running', { n: moving }) : t('job.button')
  const show = () => {
    setOpen(true)
    // Links to files last ten minutes: those of the list may be older.
    void refetch()
  }
  return (
    <>
      <Button
        type="text"
        icon={
          <Badge count={moving} size="small" offset={[2, -2]}>
            <CloudDownloadOutlined />
          </Badge>
        }
        aria-label={words}
        title={words}
        onClick={show}
      />
      <Drawer open={open} onClose={() => setOpen(false)} title={t('job.title')} size={420}>
        {data.length === 0 ? (
          <Nothing text={t('job.none')} />
        ) : (
          <ul className="jobs">
            {data.map((job) => (
              <One key={job.id} job={job} />
            ))}
          </ul>
        )}
      </Drawer>
    </>
  )
}
