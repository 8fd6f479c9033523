import { PlusOutlined } from '@ant-design/icons'
import { UnitDraft, UnitQuery, UnitRow, unitStates, unitTypes, units } from '@tocsin/contract/police/unit'
import { situations } from '@tocsin/contract/police/situations'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { notify } from '#ui/notify.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { StationSelect } from './StationSelect.tsx'

const columns = [
  column(UnitRow, 'name', { main: true }),
  column(UnitRow, 'state', { tag: 'unitState' }),
  column(UnitRow, 'type', { word: 'unitType' }),
  column(UnitRow, 'stationName'),
  column(UnitRow, 'members', { show: (members) => members.map(({ name }) => name).join('、') || '–' }),
  column(UnitRow, 'situationNo', {
    show: (no, { situationId }) => (no ? <Link to={`/police/situation/detail/${situationId}`}>{no}</Link> : '–'),
  }),
  column(UnitRow, 'onDutySince', { wideOnly: true }),
  column(UnitRow, 'positionAt', { wideOnly: true }),
]

const MemberSelect = (rest: { value?: number[]; onChange?: (ids: number[]) => void; known: UnitRow['members'] }) => {
  const { known, ...select } = rest
  const { t } = useTranslation()
  const deptId: number | undefined = Form.useWatch('deptId')
  const { data = [], isFetching } = useQuery({
    ...queryFor(units.members, { query: { deptId: deptId ?? 0 } }),
    enabled: deptId !== undefined && deptId !== null,
  })
  const people = [...data, ...known.filter(({ id }) => !data.some((item) => item.id === id))]
  return (
    <Select
      mode="multiple"
      allowClear
      loading={isFetching}
      placeholder={t('list.choose')}
      options={people.map(({ id, name }) => ({ value: id, label: name }))}
      showSearch={{ optionFilterProp: 'label' }}
      {...select}
    />
  )
}

const toForm = (unit: UnitRow) => ({ ...unit, memberIds: unit.members.map(({ id }) => id) })

const UnitDrawer = ({ unit, onClose }: { unit: UnitRow | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(units.create, { fieldsInline: true })
  const update = useApiMutation(units.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(UnitDraft, values)
    if (unit) await update.mutateAsync({ body: { ...draft, id: unit.id, version: newer ?? unit.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(unit ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={unit ? t('police.editOf', { name: unit.name }) : t('police.newUnit')}
      initialValues={unit ? toForm(unit) : { type: 'CAR', memberIds: [] }}
      save={save}
      reading={readAs(UnitRow, toForm)}
      onClose={onClose}
    >
      <Field of={UnitDraft} name="name">
        <Input maxLength={40} autoFocus={!unit} />
      </Field>
      <Field of={UnitDraft} name="deptId">
        <StationSelect />
      </Field>
      <Field of={UnitDraft} name="type">
        <Select options={enumOptions('unitType', unitTypes, lang)} />
      </Field>
      <Field of={UnitDraft} name="memberIds">
        <MemberSelect known={unit?.members ?? []} />
      </Field>
    </EditDrawer>
  )
}

const UnitActions = ({ unit, onEdit }: { unit: UnitRow; onEdit: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('police:unit:update')
  const mayDuty = useHasPermission('police:unit:duty')
  const duty = useApiMutation(units.duty, { also: [situations.page] })
  const remove = useDeletion(units.delete)
  const { id, version, onDuty, name } = unit
  return (
    <RowActions
      items={[
        mayDuty && {
          key: 'duty',
          label: t(onDuty ? 'police.offDuty' : 'police.onDuty'),
          run: () => duty.mutate({ body: { id, version, onDuty: !onDuty } }),
        },
        mayUpdate && { key: 'edit', label: t('list.edit'), run: onEdit },
        mayUpdate && { key: 'delete', label: t('list.delete'), run: () => void remove(id, name), danger: true },
      ]}
    />
  )
}

/** Units of the visible stations, with their present activity. */
export const UnitPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<UnitRow | 'new'>()
  const mayUpdate = useHasPermission('police:unit:update')
  const create = mayUpdate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('police.newUnit')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={UnitQuery}
        source={(query) => queryFor(units.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={
          <>
            <Filter of={UnitQuery} name="keyword">
              <Input allowClear maxLength={40} />
            </Filter>
            <Filter of={UnitQuery} name="deptId">
              <StationSelect />
            </Filter>
            <Filter of={UnitQuery} name="type">
              <EnumSelect kind="unitType" values={unitTypes} />
            </Filter>
            <Filter of={UnitQuery} name="state">
              <EnumSelect kind="unitState" values={unitStates} />
            </Filter>
            <Filter of={UnitQuery} name="onDuty">
              <YesNo />
            </Filter>
          </>
        }
        left={create}
        actions={(unit) => <UnitActions unit={unit} onEdit={() => setOpen(unit)} />}
        empty={{ text: t('police.noUnits'), next: create }}
      />
      {open && <UnitDrawer unit={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
