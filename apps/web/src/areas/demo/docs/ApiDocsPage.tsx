import { apiDocs } from '@tocsin/contract/demo/api-docs'
import { useQuery } from '@tanstack/react-query'
import { Flex, Input, Select, Skeleton, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { type ApiDocument, areasOf, type Call, callsOf, documentOf, idOf, matching, summaryIn } from './calls.ts'
import { Viewer } from './Viewer.tsx'
import './docs.css'

/** Maximum search results. */
const SHOWN = 50

/** Path of an area, and of a call in it. */
const addressOf = (area: string, call?: string): string =>
  `?${new URLSearchParams({ area, ...(call !== undefined && { call }) })}`

const Areas = ({ areas }: { areas: ReturnType<typeof areasOf> }) => {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('demo.docsArea')}>
      <ul className="docs-areas">
        {areas.map(({ area, count }) => (
          <li key={area}>
            <Link to={addressOf(area)}>{area}</Link>
            <Typography.Text type="secondary">{count}</Typography.Text>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Found = ({ calls, onChoose }: { calls: readonly Call[]; onChoose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <section aria-label={t('demo.docsSearch')}>
      <Typography.Text type="secondary" role="status">
        {calls.length > SHOWN
          ? t('demo.docsMany', { n: calls.length, shown: SHOWN })
          : t('demo.docsFound', { n: calls.length })}
      </Typography.Text>
      <ul className="docs-calls">
        {calls.slice(0, SHOWN).map((call) => (
          <li key={idOf(call)}>
            <Link to={addressOf(call.area, idOf(call))} onClick={onChoose}>
              <code>
                <b>{call.method.toUpperCase()}</b> {call.path}
              </code>
            </Link>
            <Typography.Text type="secondary">{summaryIn(call.summary, lang)}</Typography.Text>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Docs = ({ whole }: { whole: ApiDocument }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [params, setParams] = useSearchParams()
  const [words, setWords] = useState('')
  const calls = useMemo(() => callsOf(whole), [whole])
  const areas = useMemo(() => areasOf(calls), [calls])
  const area = areas.find((area) => area.area === params.get('area'))?.area
  const call = params.get('call') ?? undefined
  const shown = useMemo(
    () => area && { area, call, spec: documentOf(whole, area, lang, call) },
    [whole, area, lang, call],
  )
  return (
    <>
      <Flex wrap gap="small" className="docs-bar">
        <Select<string>
          allowClear
          showSearch
          aria-label={t('demo.docsArea')}
          placeholder={t('demo.docsArea')}
          value={area ?? null}
          onChange={(next?: string) => setParams(next === undefined ? {} : { area: next })}
          options={areas.map((area) => ({ value: area.area, label: `${area.area} (${area.count})` }))}
          popupMatchSelectWidth={false}
          className="docs-area"
        />
        <Input
          allowClear
          aria-label={t('demo.docsSearch')}
          placeholder={t('demo.docsSearchHint')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          className="docs-search"
        />
      </Flex>
      {words.trim() !== '' && <Found calls={matching(calls, words)} onChoose={() => setWords('')} />}
      {shown ? <Viewer key={`${area} ${call}`} {...shown} /> : words.trim() === '' && <Areas areas={areas} />}
    </>
  )
}

/** API documentation of this server, one area at a time. */
export const ApiDocsPage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({ ...inlineQuery(apiDocs.get), staleTime: Number.POSITIVE_INFINITY })
  return (
    <>
      <Typography.Paragraph type="secondary">{t('demo.docsHelp')}</Typography.Paragraph>
      {/* The contract types it only as an OpenAPI document; http/openapi.ts prints it. */}
      {data && <Docs whole={data as ApiDocument} />}
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />)}
    </>
  )
}
