import type { Connectivity, ConnectivityChange } from '@tocsin/contract/device/device'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Flex, Segmented, Table } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import '../device.css'

const DAY_MS = 86_400_000

export type BandPart = { state: Connectivity; from: number; to: number }

/** Spans of one state between two instants; unknown before the first change. */
export const toBand = (changes: readonly ConnectivityChange[], from: number, to: number): BandPart[] => {
  const starts = [{ at: from, state: 'NEVER_SEEN' as Connectivity }]
  for (const { at, toState } of changes) {
    const start = Math.max(from, at.getTime())
    if (start === from) starts.length = 0
    starts.push({ at: start, state: toState })
  }
  return starts
    .map(({ at, state }, n) => ({ state, from: at, to: starts[n + 1]?.at ?? to }))
    .filter((part) => part.to > part.from)
}

const Band = ({ changes, days }: { changes: readonly ConnectivityChange[]; days: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const to = serverNow()
  const from = to - days * DAY_MS
  const parts = toBand(changes, from, to)
  const online = parts.reduce((sum, part) => sum + (part.state === 'ONLINE' ? part.to - part.from : 0), 0)
  const percent = ((online / (to - from)) * 100).toFixed(1)
  return (
    <Flex vertical gap="small">
      <div className="band" role="img" aria-label={t('device.onlineShare', { days, percent })}>
        {parts.map((part) => (
          <span
            key={part.from}
            data-state={part.state}
            style={{ flexGrow: part.to - part.from }}
            title={`${enumLabel('connectivity', part.state, lang)} ${formatDateTime(new Date(part.from))}`}
          />
        ))}
      </div>
      <span>{t('device.onlineShare', { days, percent })}</span>
      <Table
        size="small"
        rowKey={({ at }) => at.getTime()}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        dataSource={changes.toReversed()}
        columns={[
          { key: 'at', title: t('device.time'), render: (_, { at }) => formatDateTime(at) },
          {
            key: 'state',
            title: t('device.network'),
            render: (_, { toState }) => <EnumTag kind="connectivity" value={toState} />,
          },
        ]}
      />
    </Flex>
  )
}

/** The connectivity of a device over a week or a month. */
export const ConnectivityTab = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const [days, setDays] = useState(7)
  const query = useQuery(inlineQuery(deviceEdits.connectivity, { query: { id, days } }))
  return (
    <Flex vertical gap="middle" align="stretch">
      <Segmented
        value={days}
        onChange={setDays}
        options={[7, 30].map((n) => ({ value: n, label: t('list.lastDays', { n }) }))}
        style={{ alignSelf: 'start' }}
      />
      <QueryResult query={query}>{(changes) => <Band changes={changes} days={days} />}</QueryResult>
    </Flex>
  )
}
