import { PlaceRow } from '@tocsin/contract/school/place'
import { placeEdits } from '@tocsin/contract/school/place-edits'
import { Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { notify } from '#ui/notify.ts'
import { siblingStep, type TreePlace } from '#ui/tree/tree.ts'
import { PlaceDrawer } from './PlaceDrawer.tsx'

const facts: readonly Column<PlaceRow>[] = [
  column(PlaceRow, 'kind', { word: 'placeKind' }),
  column(PlaceRow, 'code'),
  column(PlaceRow, 'floorNo'),
  column(PlaceRow, 'sensitivity', { tag: 'sensitivity' }),
  column(PlaceRow, 'keyPart', { show: (is) => <YesNoText yes={is} /> }),
  column(PlaceRow, 'cameras', {
    show: (cameras) => cameras.map(({ sn, modelName }) => `${sn} (${modelName})`).join(', ') || '–',
  }),
  column(PlaceRow, 'accessNotes'),
  column(PlaceRow, 'updateTime'),
]

type Props = {
  place: PlaceRow
  rows: readonly PlaceRow[]
  move: (place: PlaceRow, to: TreePlace) => void
  onDeleted: () => void
}

/** One place: its data, its devices, and its actions. */
export const PlacePanel = ({ place, rows, move, onDeleted }: Props) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('school:place:update')
  const mayDelete = useHasPermission('school:place:delete')
  const mayDevices = useHasPermission('device:school-device:query')
  const [isEditing, setEditing] = useState(false)
  const remove = useApiMutation(placeEdits.delete, {
    done: () => {
      notify.success(t('list.deleted'))
      onDeleted()
    },
  })
  const step = (by: -1 | 1) => {
    const to = siblingStep(rows, place, by)
    return to && (() => move(place, to))
  }
  const [up, down] = [step(-1), step(1)]
  const ask = async () => {
    const { id, name, floorPlanCount: n } = place
    const text = n > 0 ? t('school.placeWithPlans', { name, n }) : name
    if (await confirm({ title: t('list.deleteAsk'), text, danger: true }))
      remove.mutate({ query: { id, ...(n > 0 && { withFloorPlans: true }) } })
  }
  return (
    <section aria-label={place.name}>
      <Flex gap="small" wrap align="center" justify="space-between" style={{ marginBlockEnd: 12 }}>
        <Typography.Title level={5} style={{ margin: 0 }}>
          {place.name}
        </Typography.Title>
        <Flex gap="small" wrap>
          {mayUpdate && (
            <>
              <Button onClick={() => setEditing(true)}>{t('list.edit')}</Button>
              <Button disabled={!up} onClick={up}>
                {t('school.placeUp')}
              </Button>
              <Button disabled={!down} onClick={down}>
                {t('school.placeDown')}
              </Button>
            </>
          )}
          {mayDelete && <Button onClick={() => void ask()}>{t('list.delete')}</Button>}
        </Flex>
      </Flex>
      <DescriptionList row={place} columns={facts} />
      {mayDevices && place.deviceCount > 0 && (
        <Link to={`/device/schoolDevice?schoolId=${place.schoolId}&placeId=${place.id}`}>
          {t('school.placeDevices', { n: place.deviceCount })}
        </Link>
      )}
      {isEditing && (
        <PlaceDrawer schoolId={place.schoolId} parent={undefined} place={place} onClose={() => setEditing(false)} />
      )}
    </section>
  )
}
