import { apiDocs } from '@tocsin/contract/system/demo/api-docs'
import { useQuery } from '@tanstack/react-query'
import { Skeleton, Typography } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '#api/query.ts'
import { useDark } from '#shell/look/preferences.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { showDocs } from './swagger.ts'
import './docs.css'

/** The viewer's own mark for dark pages, while it is on the screen. */
const useDarkViewer = () => {
  const dark = useDark()
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', dark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [dark])
}

/** The calls of this server as it serves them now. */
export const ApiDocsPage = () => {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<unknown>(undefined)
  const [failed, setFailed] = useState<Error>()
  const { data, error, refetch } = useQuery({ ...read(apiDocs.get), staleTime: Number.POSITIVE_INFINITY })
  useDarkViewer()
  useEffect(() => {
    // A page that comes back still has what was opened in it.
    if (!data || !box.current || drawn.current === data) return
    drawn.current = data
    const place = document.createElement('div')
    box.current.replaceChildren(place)
    showDocs(place, data).catch((problem: Error) => {
      drawn.current = undefined
      setFailed(problem)
    })
  }, [data])
  const problem = failed ?? (data ? undefined : error)
  const again = () => {
    setFailed(undefined)
    void refetch()
  }
  return (
    <>
      <Typography.Paragraph type="secondary">{t('demo.docsHelp')}</Typography.Paragraph>
      {problem && <ErrorState error={problem} onRetry={again} />}
      {!data && !problem && <Skeleton active />}
      <div ref={box} className="api-docs" />
    </>
  )
}
