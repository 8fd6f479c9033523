import { WarnRule, warnClasses, warnRules } from '@tocsin/contract/alarm/rule'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { column } from '#ui/column.tsx'
import { Filter, EnumSelect, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { EnumTags } from '#ui/EnumTags.tsx'
import { RuleForm } from './RuleForm.tsx'

const query = warnRules.page.query

const YesOrNo = ({ is }: { is: boolean }) => {
  const { t } = useTranslation()
  return is ? <Tag color="green">{t('list.yes')}</Tag> : <Tag>{t('list.no')}</Tag>
}

const columns = [
  column(WarnRule, 'name', { main: true }),
  column(WarnRule, 'enabled', { show: (is) => <YesOrNo is={is} /> }),
  column(WarnRule, 'shadow', { show: (is) => <YesOrNo is={is} />, wideOnly: true }),
  column(WarnRule, 'class', { word: 'warnClass' }),
  column(WarnRule, 'level', { tag: 'level' }),
  column(WarnRule, 'matchCodes', { show: (codes) => <EnumTags kind="alarmCode" values={codes} /> }),
  column(WarnRule, 'condition', { word: 'ruleCondition' }),
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

const RowActions = ({ rule, onOpen }: { rule: WarnRule; onOpen: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('warn:rule:update')
  const mayDelete = useHasPermission('warn:rule:delete')
  const remove = useDeletion(warnRules.delete)
  return (
    <Flex gap={4}>
      <Button size="small" type="link" onClick={onOpen}>
        {t(mayUpdate ? 'list.edit' : 'list.detail')}
      </Button>
      {mayDelete && (
        <Button size="small" type="link" danger onClick={() => void remove(rule.id, rule.name)}>
          {t('list.delete')}
        </Button>
      )}
    </Flex>
  )
}

export const RulePage = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('warn:rule:create')
  const mayUpdate = useHasPermission('warn:rule:update')
  const mayExport = useHasPermission('warn:rule:export')
  const [open, setOpen] = useState<WarnRule | 'new'>()
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
        left={create}
        exporting={(given) => mayExport && <ExportButton calls={warnRules} query={given} />}
        actions={(rule) => <RowActions rule={rule} onOpen={() => setOpen(rule)} />}
        empty={{ text: t('alarm.noRules'), next: create }}
      />
      {open && (
        <RuleForm
          rule={open === 'new' ? undefined : open}
          readOnly={open !== 'new' && !mayUpdate}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
