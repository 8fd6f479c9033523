import { isMoving, type JobView, jobs } from '@tocsin/contract/files/job'
import { CloudDownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Badge, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { lazyComponent } from '../lazy/lazy-component.tsx'
import { notify } from '../notify.ts'

const JobsDrawer = lazyComponent(async () => (await import('./JobsDrawer.tsx')).JobsDrawer, {
  close: ({ onClose }) => onClose(),
})

/** Polls progress; the end of a job comes as an event. */
const WATCH_MS = 1500

const useMyJobs = () =>
  useQuery({
    ...queryFor(jobs.myList),
    refetchInterval: ({ state }) => (state.data?.some((item) => isMoving(item.state)) ? WATCH_MS : false),
  })

/** Reports once how a running job ended. */
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

/** The own background jobs, above every page: how many run, which are finished, their files. */
export const JobsButton = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { data, refetch } = useMyJobs()
  useOutcome(data)
  const moving = data?.filter(({ state }) => isMoving(state)).length ?? 0
  // A user without jobs needs no button.
  if (!data || (data.length === 0 && !open)) return null
  const words = moving > 0 ? t('job.running', { n: moving }) : t('job.button')
  const show = () => {
    setOpen(true)
    // File links are valid for ten minutes: those of the list may be older.
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
      {open && <JobsDrawer list={data} onClose={() => setOpen(false)} />}
    </>
  )
}
