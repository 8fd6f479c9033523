import {
  type CalendarYear,
  CalendarSheetRow,
  calendarImports,
  dayKinds,
  schoolCalendar,
} from '@tocsin/contract/school/calendar'
import { schoolLabels, dayLetters } from '@tocsin/contract/school/school-labels'
import { queryId, queryInt } from '@tocsin/contract/codecs'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'
import { useUrlQuery } from '#ui/list/url-query.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import '#ui/tone/tones.css'
import { RangeDialog } from './RangeDialog.tsx'
import { TermList } from './TermList.tsx'
import type { DayRange } from './day-range.ts'
import { YearGrid } from './YearGrid.tsx'
import './calendar.css'

const AddressQuery = z.strictObject({
  deptId: queryId.optional(),
  year: queryInt(2000, 2100).optional(),
  import: z.literal('true').optional(),
})

const importDefinition: ImportDefinition = {
  endpoints: calendarImports,
  jobName: 'calendar-import',
  sheet: CalendarSheetRow,
  key: 'day',
  list: schoolCalendar.year,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('calendar.importTitle'), help: t('calendar.importHelp') }
  },
}

const Legend = () => {
  const lang = useLang()
  return (
    <div className="calendar-legend">
      {dayKinds.map((kind) => (
        <Tag
          key={kind}
          data-kind={kind}
        >{`${dayLetters[kind][lang === 'en' ? 1 : 0]} ${schoolLabels.dayKind[kind][lang === 'en' ? 1 : 0]}`}</Tag>
      ))}
    </div>
  )
}

const OfficialDays = ({ deptId, until, mayEdit }: { deptId: number; until: string | null; mayEdit: boolean }) => {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation(schoolCalendar.fill)
  return (
    <Flex gap="small" align="center" wrap>
      <Typography.Text type="secondary">
        {until === null ? t('calendar.noOfficial') : t('calendar.until', { day: until })}
      </Typography.Text>
      {mayEdit && (
        <Button
          size="small"
          loading={isPending}
          onClick={() =>
            mutate({ body: { deptId } }, { onSuccess: (n) => notify.success(t('calendar.filled', { n })) })
          }
        >
          {t('calendar.fill')}
        </Button>
      )}
    </Flex>
  )
}

const Year = ({ deptId, year, calendar }: { deptId: number; year: number; calendar: CalendarYear }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayEdit = useHasPermission(schoolCalendar.setRange.permission)
  const [anchor, setAnchor] = useState<string>()
  const [range, setRange] = useState<DayRange>()
  const { days, terms, today, officialUntil } = calendar
  return (
    <Flex vertical gap="middle">
      <Flex gap="middle" align="center" wrap>
        <strong>{t('calendar.today', { kind: enumLabel('dayKind', today.kind, lang) })}</strong>
        <Legend />
        <OfficialDays deptId={deptId} until={officialUntil} mayEdit={mayEdit} />
      </Flex>
      {mayEdit && (
        <Typography.Text type="secondary" aria-live="polite">
          {anchor === undefined ? t('calendar.help') : t('calendar.chosenFirst', { day: anchor })}
        </Typography.Text>
      )}
      <YearGrid
        year={year}
        days={days}
        today={today.day}
        isReadOnly={!mayEdit}
        anchor={anchor}
        onAnchor={setAnchor}
        onRange={setRange}
      />
      <TermList deptId={deptId} terms={terms} mayEdit={mayEdit} />
      {range && <RangeDialog deptId={deptId} range={range} onClose={() => setRange(undefined)} />}
    </Flex>
  )
}

/** The year of a school or bureau: class, holidays, exams and make-up days. */
export const CalendarPage = () => {
  const { t } = useTranslation()
  const ownDept = useSession(({ user }) => user?.deptId)
  const mayImport = useHasPermission(calendarImports.import.permission)
  const [address, setAddress] = useUrlQuery(AddressQuery)
  const { deptId = ownDept ?? undefined, year = new Date(serverNow()).getFullYear() } = address
  const query = useQuery({
    ...inlineQuery(schoolCalendar.year, { query: { deptId: deptId ?? 1, year } }),
    enabled: deptId !== undefined,
    placeholderData: keepPreviousData,
  })
  const go = (part: Partial<z.output<typeof AddressQuery>>) => setAddress({ ...address, ...part })
  return (
    <Flex vertical gap="middle">
      <Flex gap="small" wrap align="center">
        <DeptSelect
          aria-label={t('calendar.dept')}
          style={{ width: 260 }}
          {...(deptId !== undefined && { value: deptId })}
          onChange={(value?: number) => go({ deptId: value })}
        />
        <Button aria-label={t('calendar.previous')} icon={<LeftOutlined />} onClick={() => go({ year: year - 1 })} />
        <strong>{year}</strong>
        <Button aria-label={t('calendar.next')} icon={<RightOutlined />} onClick={() => go({ year: year + 1 })} />
        {mayImport && <Button onClick={() => go({ import: 'true' })}>{t('importing.import')}</Button>}
      </Flex>
      {deptId === undefined ? (
        <Empty description={t('calendar.chooseDept')} />
      ) : (
        <QueryResult query={query}>
          {(calendar) => <Year key={deptId} deptId={deptId} year={year} calendar={calendar} />}
        </QueryResult>
      )}
      {mayImport && address.import && (
        <ImportDrawer definition={importDefinition} options={{}} onClose={() => go({ import: undefined })} />
      )}
    </Flex>
  )
}
