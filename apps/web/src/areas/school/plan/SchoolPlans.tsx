import type { FileType } from '@tocsin/contract/files/file'
import { type PlaceRow, places } from '@tocsin/contract/school/place'
import { type FloorPlanRow, floorPlans, type FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { confirmLeave, isUnsaved } from '#ui/form/unsaved-guard.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { FileUpload } from '#ui/upload/FileUpload.tsx'
import type { FloorChoice } from './copy-floor.ts'
import { viewEdition } from './plan-edition.ts'
import { PlanCanvas } from './PlanCanvas.tsx'
import { PlanControlPoints } from './PlanControlPoints.tsx'
import { PlanScale } from './PlanScale.tsx'
import { SvgUpload } from './SvgUpload.tsx'

const pictures: FileType[] = ['image/png', 'image/jpeg']

/** Rooms and devices missing on the plan. */
const useLacks = () => {
  const { t } = useTranslation()
  return ({ rooms, devices }: FloorView): string => {
    const bare = rooms.filter(({ polygon }) => !polygon).map(({ name }) => name)
    const loose = devices.filter(({ planX }) => planX === null).map(({ sn }) => sn)
    const lines = [
      t('plan.publishEffect'),
      ...(bare.length > 0 ? [t('plan.without', { names: bare.join('、') })] : []),
      ...(loose.length > 0 ? [t('plan.unpinned', { names: loose.join('、') })] : []),
    ]
    return lines.join('\n')
  }
}

type EditionProps = { plan: FloorPlanRow; view: FloorView; chosen: boolean; onChoose: () => void }

const Edition = ({ plan, view, chosen, onChoose }: EditionProps) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('school:place:update')
  const mayDelete = useHasPermission('school:place:delete')
  const lacks = useLacks()
  const publish = useApiMutation(floorPlans.publish)
  const remove = useApiMutation(floorPlans.delete, { done: () => notify.success(t('list.deleted')) })
  const { id, version, number, publishedAt } = plan
  const name = t('plan.edition', { n: number })
  const { pathname } = useLocation()
  const ask = async () => {
    if (isUnsaved([pathname])) notify.error(t('plan.saveFirst'))
    else if (await confirm({ title: t('plan.publishAsk', { n: number }), text: lacks(view) }))
      publish.mutate({ body: { id, version } })
  }
  const askDelete = async () => {
    if (await confirm({ title: t('list.deleteAsk'), text: name, danger: true })) remove.mutate({ query: { id } })
  }
  return (
    <Flex gap="small" align="center" wrap>
      <Button type={chosen ? 'primary' : 'default'} aria-pressed={chosen} onClick={onChoose}>
        {name}
      </Button>
      {publishedAt && <ToneTag tone="done">{t('plan.published')}</ToneTag>}
      {!publishedAt && mayUpdate && <Button onClick={() => void ask()}>{t('plan.publish')}</Button>}
      {!publishedAt && mayDelete && <Button onClick={() => void askDelete()}>{t('list.delete')}</Button>}
    </Flex>
  )
}

type FloorEditorProps = { view: FloorView; plans: readonly FloorPlanRow[]; floors: readonly FloorChoice[] }

const FloorEditor = ({ view, plans, floors }: FloorEditorProps) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('school:place:update')
  const { pathname } = useLocation()
  const [chosenId, setChosenId] = useState<number>()
  const choose = async (id: number) => {
    if (id !== plan?.id && (await confirmLeave([pathname]))) setChosenId(id)
  }
  const create = useApiMutation(floorPlans.create, {
    done: () => {
      setChosenId(undefined)
      notify.success(t('plan.uploaded'))
    },
  })
  const add = async (fileId: number) => {
    if (await confirmLeave([pathname])) create.mutate({ body: { placeId: view.floorId, fileId } })
  }
  const plan = plans.find(({ id }) => id === chosenId) ?? plans[0] ?? null
  const drawn = viewEdition(view, plan)
  return (
    <Flex vertical gap="middle">
      {plans.map((item) => (
        <Edition
          key={item.id}
          plan={item}
          view={viewEdition(view, item)}
          chosen={item.id === plan?.id}
          onChoose={() => void choose(item.id)}
        />
      ))}
      {plans.length === 0 && <Typography.Text type="secondary">{t('plan.noEdition')}</Typography.Text>}
      {mayUpdate && (
        <section aria-label={t('plan.upload')}>
          <Typography.Paragraph>{t('plan.upload')}</Typography.Paragraph>
          <FileUpload key={plans.length} types={pictures} count={1} onChange={([file]) => file && void add(file.id)} />
          <SvgUpload onUpload={(fileId) => void add(fileId)} />
        </section>
      )}
      {plan && mayUpdate && (
        <Flex vertical gap="small" key={JSON.stringify([plan.id, plan.metresPerPixel, plan.north, plan.controlPoints])}>
          <PlanScale plan={plan} view={drawn} />
          <PlanControlPoints plan={plan} view={drawn} />
        </Flex>
      )}
      {plan && !plan.publishedAt && view.plan && (
        <Typography.Text type="secondary">{t('plan.draftHelp')}</Typography.Text>
      )}
      <PlanCanvas key={plan?.id ?? 0} view={drawn} current={view} floors={floors} mayDraw={mayUpdate} />
    </Flex>
  )
}

type FloorProps = { floorId: number; schoolId: number; floors: readonly FloorChoice[] }

const Floor = ({ floorId, schoolId, floors }: FloorProps) => {
  const view = useQuery(inlineQuery(floorPlans.view, { query: { placeId: floorId } }))
  const list = useQuery(inlineQuery(floorPlans.list, { query: { schoolId } }))
  return (
    <QueryResult query={view}>
      {(seen) =>
        seen && (
          <QueryResult query={list}>
            {(plans) => (
              <FloorEditor view={seen} plans={plans.filter(({ placeId }) => placeId === floorId)} floors={floors} />
            )}
          </QueryResult>
        )
      }
    </QueryResult>
  )
}

const Floors = ({ rows, schoolId }: { rows: readonly PlaceRow[]; schoolId: number }) => {
  const { t } = useTranslation()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const floors = rows
    .filter(({ kind }) => kind === 'FLOOR')
    .map(({ id, name, parentId, floorNo }): FloorChoice => {
      const parent = parentId === null ? undefined : names.get(parentId)
      return { id, floorNo, label: [parent, name].filter(Boolean).join(' / ') }
    })
  const { pathname } = useLocation()
  const [floorId, setFloorId] = useState(floors[0]?.id)
  const choose = async (id: number) => {
    if (await confirmLeave([pathname])) setFloorId(id)
  }
  if (floorId === undefined) return <Empty image={null} description={t('plan.noFloors')} />
  const options = floors.map(({ id, label }) => ({ value: id, label }))
  return (
    <Flex vertical gap="middle">
      <Select
        aria-label={t('plan.floor')}
        value={floorId}
        options={options}
        onChange={(id) => void choose(id)}
        style={{ maxWidth: 320 }}
      />
      <Floor key={floorId} floorId={floorId} schoolId={schoolId} floors={floors} />
    </Flex>
  )
}

/** The floor plans of a school: editions, outlines of rooms, pins of devices. */
export const SchoolPlans = ({ schoolId }: { schoolId: number }) => {
  const query = useQuery(inlineQuery(places.list, { query: { schoolId } }))
  return <QueryResult query={query}>{(rows) => <Floors rows={rows} schoolId={schoolId} />}</QueryResult>
}
