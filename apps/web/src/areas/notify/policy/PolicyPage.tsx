import { PlusOutlined } from '@ant-design/icons'
import { warnClasses } from '@tocsin/contract/alarm-class'
import { NotifyPolicy, notifyPolicies } from '@tocsin/contract/notify/policy'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDepts } from '#areas/access/DeptSelect.tsx'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { ChannelTestDrawer } from './ChannelTestDrawer.tsx'
import { PolicyDrawer } from './PolicyDrawer.tsx'

const query = notifyPolicies.page.query

const ClassName = ({ value }: { value: NotifyPolicy['class'] }) => {
  const { t } = useTranslation()
  return value === null ? t('policy.everyClass') : <EnumLabel kind="warnClass" value={value} />
}

const Summary = ({ policy }: { policy: NotifyPolicy }) => {
  const { t } = useTranslation()
  return <>{t('policy.summary', { n: policy.steps.length, loops: policy.loops })}</>
}

const DeptName = ({ id }: { id: number | null }) => {
  const { t } = useTranslation()
  const { data } = useDepts()
  return id === null ? t('policy.everywhere') : (data?.find((dept) => dept.id === id)?.name ?? `#${id}`)
}

const columns = [
  column(NotifyPolicy, 'name', { main: true }),
  column(NotifyPolicy, 'enabled', { show: (is) => <YesNoText yes={is} /> }),
  column(NotifyPolicy, 'deptId', { show: (id) => <DeptName id={id} /> }),
  column(NotifyPolicy, 'class', { show: (value) => <ClassName value={value} /> }),
  column(NotifyPolicy, 'level', { tag: 'level' }),
  column(NotifyPolicy, 'steps', { show: (_, policy) => <Summary policy={policy} /> }),
  column(NotifyPolicy, 'updateTime', { wideOnly: true }),
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

const RowActions = ({ policy, onOpen }: { policy: NotifyPolicy; onOpen: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('notify:policy:update')
  const mayDelete = useHasPermission('notify:policy:delete')
  const remove = useDeletion(notifyPolicies.delete)
  return (
    <Flex gap={4}>
      <Button size="small" type="link" onClick={onOpen}>
        {t(mayUpdate ? 'list.edit' : 'list.detail')}
      </Button>
      {mayDelete && (
        <Button size="small" type="link" danger onClick={() => void remove(policy.id, policy.name)}>
          {t('list.delete')}
        </Button>
      )}
    </Flex>
  )
}

export const PolicyPage = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('notify:policy:create')
  const mayUpdate = useHasPermission('notify:policy:update')
  const { data: choices } = useQuery(queryFor(notifyPolicies.choices))
  const [open, setOpen] = useState<NotifyPolicy | 'new' | 'test'>()
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('list.create')}
    </Button>
  )
  const test = mayUpdate && <Button onClick={() => setOpen('test')}>{t('policy.test')}</Button>
  const close = () => setOpen(undefined)
  return (
    <>
      <ListPage
        query={query}
        source={(given) => queryFor(notifyPolicies.page, { query: given })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {create}
            {test}
          </>
        }
        actions={(policy) => <RowActions policy={policy} onOpen={() => setOpen(policy)} />}
        empty={{ text: t('policy.none'), next: create }}
      />
      {open === 'test' && <ChannelTestDrawer choices={choices} onClose={close} />}
      {open !== undefined && open !== 'test' && (
        <PolicyDrawer
          policy={open === 'new' ? undefined : open}
          choices={choices}
          readOnly={open !== 'new' && !mayUpdate}
          onClose={close}
        />
      )}
    </>
  )
}
