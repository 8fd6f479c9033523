import { PatrolPlanRow, PatrolQuery, patrols } from '@tocsin/contract/security/patrol'
import { patrolRounds } from '@tocsin/contract/security/patrol-rounds'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import '../duty.css'
import { hoursText } from '../post/hours-text.ts'

const POLL_MS = 60_000

const Hours = ({ plan }: { plan: PatrolPlanRow }) => {
  const { t } = useTranslation()
  return <>{hoursText(plan, t)}</>
}

const Missed = ({ n }: { n: number }) => (n > 0 ? <ToneTag tone="fault">{String(n)}</ToneTag> : <>{n}</>)

const PlanState = ({ enabled }: { enabled: boolean }) => {
  const { t } = useTranslation()
  return <ToneTag tone={enabled ? 'done' : 'calm'}>{t(enabled ? 'duty.enabled' : 'duty.disabled')}</ToneTag>
}

const columns = [
  column(PatrolPlanRow, 'name', { main: true }),
  column(PatrolPlanRow, 'schoolName'),
  column(PatrolPlanRow, 'fromMin', {
    title: (lang) => (lang === 'en' ? 'Hours' : '时段'),
    width: 200,
    show: (_from, plan) => <Hours plan={plan} />,
  }),
  column(PatrolPlanRow, 'pointCount', { width: 96, tight: true }),
  column(PatrolPlanRow, 'rounds', { width: 120, tight: true }),
  column(PatrolPlanRow, 'doneToday', { width: 120, tight: true }),
  column(PatrolPlanRow, 'missedToday', { width: 112, show: (n) => <Missed n={n} /> }),
  column(PatrolPlanRow, 'enabled', {
    title: (lang) => (lang === 'en' ? 'State' : '状态'),
    width: 104,
    show: (enabled) => <PlanState enabled={enabled} />,
  }),
]

const filters = (
  <>
    <Filter of={PatrolQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={PatrolQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={PatrolQuery} name="missed">
      <YesNo />
    </Filter>
  </>
)

/** Patrols with what was done and missed today. */
export const PatrolPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission('security:patrol:create')
  const mayUpdate = useHasPermission('security:patrol:update')
  const mayDelete = useHasPermission('security:patrol:delete')
  const mayExport = useHasPermission('security:patrol:export')
  const mayRun = useHasPermission('security:patrol:run')
  const remove = useDeletion(patrols.delete)
  const open = (id: number) => void navigate(`/duty/patrol/${id}`)
  const left = (
    <Flex gap="small" wrap>
      {mayCreate && (
        <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/duty/patrol/form/new')}>
          {t('list.create')}
        </Button>
      )}
      {mayRun && <Button onClick={() => void navigate('/m/patrol')}>{t('patrol.walk')}</Button>}
    </Flex>
  )
  return (
    <ListPage
      query={PatrolQuery}
      source={(query) => queryFor(patrols.page, { query })}
      everyMs={POLL_MS}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      left={left}
      onOpen={({ id }) => open(id)}
      exporting={(query) => mayExport && <ExportButton calls={patrolRounds} query={query} />}
      actions={({ id, name }) => (
        <RowActions
          items={[
            { key: 'grid', label: t('patrol.rounds'), run: () => open(id) },
            mayUpdate && {
              key: 'edit',
              label: t('list.edit'),
              run: () => void navigate(`/duty/patrol/form/${id}`),
            },
            mayDelete && { key: 'delete', label: t('list.delete'), run: () => void remove(id, name), danger: true },
          ]}
        />
      )}
      empty={{ text: t(mayCreate ? 'patrol.noneCreate' : 'patrol.none'), next: mayCreate && left }}
    />
  )
}
