import { coverageGaps } from '@tocsin/contract/security/gap'
import { addDays, localDay } from '@tocsin/contract/security/hours'
import { type PostType, postTypes } from '@tocsin/contract/security/post'
import { shifts } from '@tocsin/contract/security/shift'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { type CalendarView, neighbour, weekNumber } from './calendar-days.ts'
import type { WeekOwner } from './list-owners.ts'
import { useWeekVerbs } from './use-week-verbs.tsx'

const POLL_MS = 60_000

/** How many hours ahead have nobody, as a link to them. */
const GapLink = ({ schoolId }: { schoolId: number | undefined }) => {
  const { t } = useTranslation()
  const query = { pageSize: 1, ...(schoolId !== undefined && { schoolId }) }
  const { data } = useQuery({ ...queryFor(coverageGaps.page, { query }), refetchInterval: POLL_MS })
  if (!data?.total) return null
  return (
    <Link to={schoolId === undefined ? '/duty/gap' : `/duty/gap?schoolId=${schoolId}`}>
      <ToneTag tone="wait">{t('duty.gapCount', { n: data.total })}</ToneTag>
    </Link>
  )
}

type BarProps = {
  view: CalendarView
  first: Date
  last: Date
  schoolId: number | undefined
  types: readonly PostType[]
  /** Of the posts that the calendar shows at present. */
  owners: readonly WeekOwner[]
  onFill: () => void
}

/** Week or month, which one, of which school, and what can be done with a whole week. */
export const CalendarBar = ({ view, first, last, schoolId, types, owners, onFill }: BarProps) => {
  const { t } = useTranslation()
  const [, setParams] = useSearchParams()
  const mayCreate = useHasPermission('security:shift:create')
  const mayPublish = useHasPermission('security:shift:publish')
  const mayPlan = useHasPermission('security:shift:gap')
  const mayExport = useHasPermission('security:shift:export')
  const lang = useLang()
  const mayCheckIn = useHasPermission('security:shift:check-in')
  const navigate = useNavigate()
  const { isBusy, canAct, copyWeek, publishWeek, dialog } = useWeekVerbs(first, owners)
  const go = (change: Record<string, string | undefined>) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  const goBy = (step: -1 | 1) => go({ week: String(neighbour(view, first, step).getTime()) })
  const goToTypes = (chosen: readonly PostType[]) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.delete('type')
      for (const type of chosen) next.append('type', type)
      return next
    })
  const isWeek = view === 'week'
  return (
    <Flex gap="small" align="center" wrap className="duty-tools">
      <Segmented<CalendarView>
        aria-label={t('duty.view')}
        value={view}
        options={[
          { value: 'week', label: t('duty.week') },
          { value: 'month', label: t('duty.month') },
        ]}
        onChange={(next) => go({ view: next === 'week' ? undefined : next })}
      />
      <Button
        icon={<LeftOutlined />}
        aria-label={t(isWeek ? 'duty.previousWeek' : 'duty.previousMonth')}
        onClick={() => goBy(-1)}
      />
      <Button onClick={() => go({ week: undefined })}>{t(isWeek ? 'duty.thisWeek' : 'duty.thisMonth')}</Button>
      <Button
        icon={<RightOutlined />}
        aria-label={t(isWeek ? 'duty.nextWeek' : 'duty.nextMonth')}
        onClick={() => goBy(1)}
      />
      <strong>{`${localDay(first)} – ${localDay(last)}`}</strong>
      {isWeek && <span>{t('duty.weekOf', { n: weekNumber(first) })}</span>}
      <SchoolSelect
        {...(schoolId !== undefined && { value: schoolId })}
        aria-label={t('duty.allSchools')}
        style={{ minWidth: 180 }}
        onChange={(id?: number) => go({ schoolId: id === undefined ? undefined : String(id) })}
      />
      <Select<PostType[]>
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        aria-label={t('duty.allTypes')}
        placeholder={t('duty.allTypes')}
        value={[...types]}
        options={enumOptions('postType', postTypes, lang)}
        style={{ minWidth: 140 }}
        onChange={goToTypes}
      />
      {mayPlan && <GapLink schoolId={schoolId} />}
      {mayExport && (
        <ExportButton
          calls={shifts}
          query={{ from: first, to: addDays(last, 1), ...(schoolId !== undefined && { schoolId }) }}
        />
      )}
      {isWeek && mayCreate && (
        <>
          <Button loading={isBusy} disabled={!canAct} onClick={copyWeek}>
            {t('duty.copyWeek')}
          </Button>
          <Button onClick={onFill}>{t('duty.fillWeek')}</Button>
        </>
      )}
      {mayCheckIn && <Button onClick={() => void navigate('/m/shift')}>{t('duty.myShift')}</Button>}
      {isWeek && mayPublish && (
        <Button type="primary" loading={isBusy} disabled={!canAct} onClick={publishWeek}>
          {t('duty.publishWeek')}
        </Button>
      )}
      {dialog}
    </Flex>
  )
}
