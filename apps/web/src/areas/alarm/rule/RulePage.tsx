import { WarnRule, warnClasses, warnRules } from '@tocsin/contract/alarm/rule'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { column } from '#ui/column.tsx'
import { LocalName } from '#ui/cell/LocalName.tsx'
import { Filter, EnumSelect, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { EnumTags } from '#ui/EnumTags.tsx'
import { RuleTrialDrawer } from './RuleTrialDrawer.tsx'
import { SimulateDialog } from './SimulateDialog.tsx'
import { RuleDrawer } from './RuleDrawer.tsx'

const query = warnRules.page.query

const YesOrNo = ({ is }: { is: boolean }) => {
  const { t } = useTranslation()
  return is ? <Tag color="green">{t('list.yes')}</Tag> : <Tag>{t('list.no')}</Tag>
}

const columns = [
  column(WarnRule, 'name', { main: true, show: (_, row) => <LocalName of={row} /> }),
  column(WarnRule, 'enabled', { show: (is) => <YesOrNo is={is} /> }),
  column(WarnRule, 'shadow', { show: (is) => <YesOrNo is={is} />, wideOnly: true }),
  column(WarnRule, 'class', { word: 'warnClass' }),
  column(WarnRule, 'level', { tag: 'level' }),
  column(WarnRule, 'matchCodes', { show: (codes) => <EnumTags kind="alarmCode" values={codes} /> }),
  column(WarnRule, 'condition', { word: 'ruleCondition' }),
  column(WarnRule, 'schedule', { word: 'ruleSchedule', wideOnly: true }),
  column(WarnRule, 'priority', { figure: true, wideOnly: true }),
  column(WarnRule, 'updateTime', { wideOnly: true }),
]

const filters = (
  <>
    <Filter of={query} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={query} name="class">
      <EnumSelect kind="warnClass" values={warnClasses} />
    </Filter>
    <Filter of={query} name="enabled">
      <YesNo />
    </Filter>
  </>
)

type RowProps = { rule: WarnRule; onOpen: () => void; onTry: () => void }

const RuleActions = ({ rule, onOpen, onTry }: RowProps) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('warn:rule:update')
  const mayDelete = useHasPermission('warn:rule:delete')
  const remove = useDeletion(warnRules.delete)
  return (
    <RowActions
      items={[
        mayUpdate
          ? { key: 'edit', label: t('list.edit'), run: onOpen }
          : { key: 'detail', label: t('list.detail'), run: onOpen },
        { key: 'try', label: t('ruleTrial.open'), run: onTry },
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(rule.id, rule.name),
          danger: true,
        },
      ]}
    />
  )
}

export const RulePage = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('warn:rule:create')
  const mayUpdate = useHasPermission('warn:rule:update')
  const mayExport = useHasPermission('warn:rule:export')
  const maySimulate = useHasPermission('device:school-device:query')
  const [open, setOpen] = useState<WarnRule | 'new'>()
  const [tried, setTried] = useState<WarnRule>()
  const [isSimulating, setIsSimulating] = useState(false)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('list.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={query}
        source={(given) => queryFor(warnRules.page, { query: given })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {create}
            {maySimulate && <Button onClick={() => setIsSimulating(true)}>{t('ruleTrial.simulate')}</Button>}
          </>
        }
        exporting={(given) => mayExport && <ExportButton calls={warnRules} query={given} />}
        actions={(rule) => <RuleActions rule={rule} onOpen={() => setOpen(rule)} onTry={() => setTried(rule)} />}
        empty={{ text: t('alarm.noRules'), next: create }}
      />
      {tried && <RuleTrialDrawer rule={tried} onClose={() => setTried(undefined)} />}
      {isSimulating && <SimulateDialog onClose={() => setIsSimulating(false)} />}
      {open && (
        <RuleDrawer
          rule={open === 'new' ? undefined : open}
          readOnly={open !== 'new' && !mayUpdate}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
