import type { SituationDetail, SituationRow } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import { units } from '@tocsin/contract/police/unit'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Typography } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery, queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { SoundBand } from '#areas/alarm/task/SoundBand.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { SituationClock, SituationFacts, SituationTags, SituationTimeline } from '../situation/SituationPanel.tsx'
import { type ShownVerb, useVerbs } from '../situation/use-verbs.tsx'
import { isKeyForDesk } from './desk-keys.ts'
import { useChosen } from './use-chosen.ts'
import { useUnitKeys } from './use-unit-keys.ts'
import './dispatch-desk.css'
import { fromWallClock, toWallClock } from '#ui/dates/wall-clock.ts'
import { percent } from '../situation/percent.ts'

/** How well the limits of today's incidents were kept. */
const DeskFigures = () => {
  const { t } = useTranslation()
  const from = fromWallClock(toWallClock(new Date(useServerTime())).startOf('day'))
  const { data } = useQuery(queryFor(situations.times, { query: { from } }))
  if (!data) return null
  const { sign, feedback, arriveMet, arriveLate } = data
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
  // Nothing was received or reached yet: three dashes say nothing.
  if (sum(sign) + sum(feedback) + arriveMet + arriveLate === 0) return null
  return (
    <Typography.Text className="dispatch-figures">
      {t('police.today', {
        sign: percent(sign[0] ?? 0, sum(sign)),
        arrive: percent(arriveMet, arriveMet + arriveLate),
        feedback: percent(feedback[0] ?? 0, sum(feedback)),
      })}
    </Typography.Text>
  )
}

const keys: Record<string, ShownVerb> = {
  c: 'claim',
  d: 'dispatch',
  a: 'addUnit',
  t: 'transfer',
  x: 'reject',
  f: 'feedback',
  r: 'close',
  m: 'note',
}

/** One key per verb, never while the user types or a dialog is open. */
const useVerbKeys = (run: (verb: ShownVerb) => void, isOn = true): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKeyForDesk(event)) return
    const verb = keys[event.key.toLowerCase()]
    if (!verb || !isOn) return
    event.preventDefault()
    run(verb)
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}

const QueueRow = ({ row, chosen, onChoose }: { row: SituationRow; chosen: boolean; onChoose: () => void }) => (
  <button type="button" className="dispatch-row" aria-current={chosen} onClick={onChoose}>
    <Flex gap="small" align="center" wrap>
      <SituationTags situation={row} />
      <SituationClock situation={row} />
    </Flex>
    <strong>{row.schoolName ?? row.place ?? row.no}</strong>
    <Typography.Text type="secondary" ellipsis>
      {[row.place, row.unitNames].filter(Boolean).join(' · ') || row.no}
    </Typography.Text>
  </button>
)

type Urgency = 'overdue' | 'soon' | 'rest'

/** Like the clock of the row: amber from 80 % of the limit, red after it. */
const urgencyOf = ({ dueAt, dueFrom }: SituationRow, now: number): Urgency => {
  if (dueAt === null) return 'rest'
  const left = Number(dueAt) - now
  if (left < 0) return 'overdue'
  return dueFrom !== null && left < (Number(dueAt) - Number(dueFrom)) * 0.2 ? 'soon' : 'rest'
}

type QueueProps = { list: readonly SituationRow[]; chosen: number | undefined; onChoose: (id: number) => void }

const Queue = ({ list, chosen, onChoose }: QueueProps) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const of = (urgency: Urgency) => list.filter((row) => urgencyOf(row, now) === urgency)
  // The incident that was closed last stays beside an empty queue.
  if (list.length === 0)
    return (
      <Empty image={null} description={t('police.quiet')}>
        <Typography.Text type="secondary">{t('police.quietHelp')}</Typography.Text>
      </Empty>
    )
  const groups: [string, SituationRow[]][] = [
    [t('police.overdueGroup'), of('overdue')],
    [t('police.soonGroup'), of('soon')],
    [t('police.restGroup'), of('rest')],
  ]
  return groups.map(
    ([title, rows]) =>
      rows.length > 0 && (
        <section key={title} aria-label={title}>
          <Typography.Text type="secondary" className="dispatch-group">
            {title} {rows.length}
          </Typography.Text>
          {rows.map((row) => (
            <QueueRow key={row.id} row={row} chosen={row.id === chosen} onChoose={() => onChoose(row.id)} />
          ))}
        </section>
      ),
  )
}

type Early = { early: ShownVerb | undefined; onEarly: (verb?: ShownVerb) => void }

const Situation = ({ situation, early, onEarly }: Early & { situation: SituationDetail }) => {
  const { t } = useTranslation()
  const { buttons, dialog, run } = useVerbs(situation)
  useVerbKeys(run)
  useUnitKeys(situation)
  const runEarly = useEffectEvent(() => {
    if (early === undefined) return
    onEarly()
    run(early)
  })
  useEffect(() => runEarly(), [])
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" align="center" wrap>
        <Typography.Title level={4} style={{ margin: 0 }}>
          {situation.schoolName ?? situation.place ?? situation.no}
        </Typography.Title>
        <SituationTags situation={situation} />
        <SituationClock situation={situation} />
      </Flex>
      <Typography.Text>
        {[...new Set([situation.place, situation.address])].filter(Boolean).join(' · ')}{' '}
        <Link to={`/police/situation/detail/${situation.id}`}>
          {situation.no} {t('police.openDetail')}
        </Link>
      </Typography.Text>
      <VerbButtons verbs={buttons} />
      <Typography.Text type="secondary">{t('police.keys')}</Typography.Text>
      <SituationFacts situation={situation} />
      <SituationTimeline situation={situation} />
      {dialog}
    </Flex>
  )
}

/** A key that is pressed while the chosen incident still loads acts on it as soon as it is there. */
const Chosen = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(situations.get, { query: { id } }))
  const [early, setEarly] = useState<ShownVerb>()
  useVerbKeys(setEarly, query.data === undefined)
  return (
    <QueryResult query={query}>
      {(situation) => <Situation key={situation.id} situation={situation} early={early} onEarly={setEarly} />}
    </QueryResult>
  )
}

const order = ['FREE', 'ASSIGNED', 'EN_ROUTE', 'ON_SCENE', 'OFF']

const Units = () => {
  const { t } = useTranslation()
  const { data } = useQuery(queryFor(units.page, { query: { pageSize: 200 } }))
  const list = (data?.list ?? []).toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  if (data && list.length === 0)
    return (
      <Typography.Text type="secondary">
        {t('police.noUnits')}{' '}
        <Link to="/police/unit" style={{ textDecoration: 'underline' }}>
          {t('police.toUnits')}
        </Link>
      </Typography.Text>
    )
  return list.map((unit) => (
    <div key={unit.id} className="dispatch-unit">
      <Flex gap="small" align="center" justify="space-between">
        <strong>{unit.name}</strong>
        <EnumTag kind="unitState" value={unit.state} />
      </Flex>
      <Typography.Text type="secondary">
        {[unit.members.map(({ name }) => name).join('、'), unit.situationNo].filter(Boolean).join(' · ') ||
          unit.stationName}
      </Typography.Text>
    </div>
  ))
}

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="dispatch-panel" aria-label={title}>
    <Typography.Title level={5}>{title}</Typography.Title>
    {children}
  </section>
)

/** Unclaimed incidents ring above every page; sound that is off is said here. */
const DeskSound = () => {
  const { t } = useTranslation()
  const mayClaim = useHasPermission('police:situation:receive')
  return (
    mayClaim && (
      <div className="dispatch-figures">
        <SoundBand text={t('police.soundOff')} />
      </div>
    )
  )
}

const Desk = ({ list }: { list: readonly SituationRow[] }) => {
  const { t } = useTranslation()
  const [chosen, choose] = useChosen(list)
  return (
    <div className="dispatch-desk">
      <DeskSound />
      <DeskFigures />
      <Panel title={`${t('police.queue')} ${list.length}`}>
        <Queue list={list} chosen={chosen} onChoose={choose} />
      </Panel>
      <div className="dispatch-panel">{chosen !== undefined && <Chosen key={chosen} id={chosen} />}</div>
      <Panel title={t('police.unitPanel')}>
        <Units />
      </Panel>
    </div>
  )
}

/** Open incidents, the chosen one, and the units, side by side. */
export const DispatchDeskPage = () => (
  <QueryResult query={useQuery(inlineQuery(situations.desk))}>{({ list }) => <Desk list={list} />}</QueryResult>
)
