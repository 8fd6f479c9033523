import { StationDraft, StationQuery, StationRow, stations } from '@tocsin/contract/police/station'
import { labelIn } from '@tocsin/contract/field'
import { Button, Form, Input, InputNumber } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { fenceRule } from '#areas/school/fence-text.ts'
import { GeofenceInput } from '#areas/school/GeofenceInput.tsx'
import { OutlineMap } from '#areas/school/OutlineMap.tsx'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import type { MapRing } from '#ui/map/map-shapes.ts'
import { notify } from '#ui/notify.ts'

const columns = [
  column(StationRow, 'name', { main: true }),
  column(StationRow, 'dutyPhone'),
  column(StationRow, 'schoolCount', { figure: true }),
  column(StationRow, 'unitCount', { figure: true }),
  column(StationRow, 'onDutyCount', { figure: true }),
  column(StationRow, 'openCount', { figure: true }),
  column(StationRow, 'arriveUrbanMin', { figure: true, wideOnly: true }),
  column(StationRow, 'arriveSuburbanMin', { figure: true, wideOnly: true }),
  column(StationRow, 'arriveRuralMin', { figure: true, wideOnly: true }),
]

/** As many neighbours as one page of the list holds. */
const MAX_NEIGHBOURS = 200

const toRings = (rows: readonly StationRow[], ownId: number): MapRing[] =>
  rows.flatMap(({ id, name, jurisdiction }): MapRing[] =>
    jurisdiction && id !== ownId ? [{ key: String(id), kind: 'jurisdiction', label: name, polygon: jurisdiction }] : [],
  )

const StationDrawer = ({ station, onClose }: { station: StationRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const update = useApiMutation(stations.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const { jurisdiction, dutyPhone, ...targets } = values
    const minutes = (name: string) => (typeof targets[name] === 'number' ? targets[name] : null)
    await update.mutateAsync({
      body: {
        id: station.id,
        version: newer ?? station.version,
        dutyPhone: typeof dutyPhone === 'string' && dutyPhone !== '' ? dutyPhone : null,
        jurisdiction: (jurisdiction as StationRow['jurisdiction'] | undefined) ?? null,
        arriveUrbanMin: minutes('arriveUrbanMin'),
        arriveSuburbanMin: minutes('arriveSuburbanMin'),
        arriveRuralMin: minutes('arriveRuralMin'),
      },
    })
    notify.success(t('list.saved'))
  }
  const others = useQuery(queryFor(stations.page, { query: { pageNo: 1, pageSize: MAX_NEIGHBOURS } }))
  const context = useMemo(() => toRings(others.data?.list ?? [], station.id), [others.data, station.id])
  return (
    <EditDrawer
      title={t('police.editOf', { name: station.name })}
      initialValues={station}
      save={save}
      reading={readAs(StationRow)}
      onClose={onClose}
    >
      <Field of={StationDraft} name="dutyPhone">
        <Input maxLength={20} autoFocus />
      </Field>
      <Field of={StationDraft} name="arriveUrbanMin" extra={t('police.target')}>
        <InputNumber min={1} max={240} />
      </Field>
      <Field of={StationDraft} name="arriveSuburbanMin">
        <InputNumber min={1} max={240} />
      </Field>
      <Field of={StationDraft} name="arriveRuralMin">
        <InputNumber min={1} max={240} />
      </Field>
      <Form.Item
        name="jurisdiction"
        label={labelIn(lang, StationDraft.shape.jurisdiction)}
        extra={t('school.fenceHelp')}
        rules={[fenceRule]}
      >
        <GeofenceInput />
      </Form.Item>
      <OutlineMap name="jurisdiction" label={labelIn(lang, StationDraft.shape.jurisdiction)} context={context} />
    </EditDrawer>
  )
}

/** Stations with their targets; the departments themselves are created elsewhere. */
export const StationPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<StationRow>()
  const mayUpdate = useHasPermission('police:station:update')
  const mayExport = useHasPermission('police:station:export')
  return (
    <>
      <ListPage
        query={StationQuery}
        source={(query) => queryFor(stations.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={
          <Filter of={StationQuery} name="keyword">
            <Input allowClear maxLength={40} />
          </Filter>
        }
        {...(mayUpdate && {
          onOpen: (station: StationRow) => setOpen(station),
          actions: (station: StationRow) => (
            <Button size="small" type="link" onClick={() => setOpen(station)}>
              {t('list.edit')}
            </Button>
          ),
        })}
        exporting={(query) => mayExport && <ExportButton calls={stations} query={query} />}
        empty={{ text: t('police.noStations') }}
      />
      {open && <StationDrawer station={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
