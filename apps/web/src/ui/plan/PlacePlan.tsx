import { MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { floorPlans, type FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { isDrawable, listNearestCameras } from './plan-shapes.ts'
import { PlanDrawing } from './PlanDrawing.tsx'

const MAX_ZOOM = 4

/** Ways in, the way to the room, and the cameras that may see it; what is not drawn is not named. */
const Surroundings = ({ view, placeId }: { view: FloorView; placeId: number }) => {
  const { t } = useTranslation()
  const room = view.rooms.find(({ id }) => id === placeId)
  const gates = view.rooms.filter(({ kind, polygon }) => kind === 'GATE' && polygon).map(({ name }) => name)
  const cameras = listNearestCameras(view, placeId)
  return (
    <>
      {gates.length > 0 && <span>{t('plan.entrances', { names: gates.join('、') })}</span>}
      {room?.planRoute && <Typography.Text type="secondary">{t('plan.routeShown')}</Typography.Text>}
      {cameras.length > 0 && (
        <section aria-label={t('plan.cameras')}>
          <b>{t('plan.cameras')}</b>
          {cameras.map(({ device: { id, sn, connectivity }, metres }) => (
            <Flex key={id} gap="small" align="center">
              <span>{metres === undefined ? sn : t('plan.cameraAway', { sn, n: metres })}</span>
              <EnumTag kind="connectivity" value={connectivity} />
            </Flex>
          ))}
        </section>
      )}
    </>
  )
}

type FloorProps = { view: FloorView; placeId: number; deviceId: number | undefined; height: number }

const Floor = ({ view, placeId, deviceId, height }: FloorProps) => {
  const { t } = useTranslation()
  const [zoom, setZoom] = useState(1)
  const room = view.rooms.find(({ id }) => id === placeId)
  const label = t('plan.of', { floor: view.floorName })
  const here = view.devices.filter((device) => device.placeId === placeId && !device.isCamera)
  return (
    <Flex vertical gap="small">
      <Flex gap="small" align="center" justify="space-between" wrap>
        <span>{room ? `${label} · ${t('plan.lit', { name: room.name })}` : label}</span>
        <Flex gap="small">
          <Button
            icon={<MinusOutlined />}
            aria-label={t('plan.smaller')}
            disabled={zoom === 1}
            onClick={() => setZoom(zoom - 1)}
          />
          <Button
            icon={<PlusOutlined />}
            aria-label={t('plan.larger')}
            disabled={zoom === MAX_ZOOM}
            onClick={() => setZoom(zoom + 1)}
          />
        </Flex>
      </Flex>
      <div className="plan-frame" style={{ height }}>
        <div className="plan-zoom" style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>
          <PlanDrawing view={view} label={label} litId={placeId} chosenDevice={deviceId} />
        </div>
      </div>
      {here.map(({ id, sn, connectivity }) => (
        <Flex key={id} gap="small" align="center">
          <span>{sn}</span>
          <EnumTag kind="connectivity" value={connectivity} />
        </Flex>
      ))}
      <Surroundings view={view} placeId={placeId} />
    </Flex>
  )
}

type Props = {
  placeId: number
  /** An installation whose pin is marked. */
  deviceId?: number
  /** Shown when nothing is drawn; without it nothing is shown then. */
  path?: string
  height?: number
}

/** The floor of a place with its room lit; where nothing is drawn, the place in letters that are read from afar. */
export const PlacePlan = ({ placeId, deviceId, path, height = 320 }: Props) => {
  const { t } = useTranslation()
  const { data, isPending } = useQuery(inlineQuery(floorPlans.view, { query: { placeId } }))
  if (data && isDrawable(data))
    return (
      <div className="plan-place" style={{ minHeight: height + 80 }}>
        <Floor key={data.floorId} view={data} placeId={placeId} deviceId={deviceId} height={height} />
      </div>
    )
  if (path === undefined) return null
  return (
    <div className="plan-place" style={{ minHeight: height + 80 }}>
      <div className="plan-place-words">{path}</div>
      {!isPending && <Typography.Text type="secondary">{t('plan.noPlan')}</Typography.Text>}
    </div>
  )
}
