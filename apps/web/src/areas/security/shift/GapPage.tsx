import { CoverageGap, CoverageGapQuery, coverageGaps, gapReasons } from '@tocsin/contract/security/gap'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'

const POLL_MS = 60_000

const columns = [
  column(CoverageGap, 'from', { width: 160 }),
  column(CoverageGap, 'to', { width: 160 }),
  column(CoverageGap, 'schoolName', { main: true }),
  column(CoverageGap, 'reason', { tag: 'gapReason', width: 130 }),
  column(CoverageGap, 'noticedAt', { width: 160 }),
]

/** Hours of the next 24 in which nobody at a school can receive a level 1 alarm. */
export const GapPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayPlan = useHasPermission('security:shift:query')
  return (
    <ListPage
      query={CoverageGapQuery}
      source={(query) => queryFor(coverageGaps.page, { query })}
      everyMs={POLL_MS}
      columns={columns}
      rowKey={({ schoolId, from }) => `${schoolId} ${from.getTime()}`}
      filters={
        <>
          <Filter of={CoverageGapQuery} name="schoolId">
            <SchoolSelect />
          </Filter>
          <Filter of={CoverageGapQuery} name="reason">
            <EnumSelect kind="gapReason" values={gapReasons} />
          </Filter>
          <Filter of={CoverageGapQuery} name="begun">
            <YesNo />
          </Filter>
        </>
      }
      actions={({ schoolId, from }) => (
        <RowActions
          items={[
            mayPlan && {
              key: 'plan',
              label: t('duty.assign'),
              run: () => void navigate(`/duty/shift?schoolId=${schoolId}&week=${from.getTime()}`),
            },
          ]}
        />
      )}
      empty={{ text: t('duty.gapNone') }}
    />
  )
}
