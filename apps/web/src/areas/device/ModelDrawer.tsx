import { capabilities, DeviceModel } from '@tocsin/contract/device/model'
import { useTranslation } from 'react-i18next'
import { Flex } from 'antd'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { EnumTags } from '#ui/EnumTags.tsx'
import { modelColumns } from './model-columns.tsx'

const able = [
  column(DeviceModel, 'capabilities', {
    show: (has) => <EnumTags kind="capability" values={capabilities.filter((name) => has[name])} />,
  }),
  column(DeviceModel, 'commandSchema', {
    show: (schemas) => <EnumTags kind="commandType" values={Object.keys(schemas)} />,
  }),
  column(DeviceModel, 'batteryCurve', {
    show: (curve) => curve?.map(({ mv, pct }) => `${mv} mV = ${pct} %`).join(', ') ?? '—',
  }),
]

export const ModelDrawer = ({ model, onClose }: { model: DeviceModel; onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={`${model.vendor} ${model.name}`}>
      <Flex vertical gap="middle">
        <DescriptionList row={model} columns={modelColumns} />
        <DescriptionList title={t('device.abilities')} row={model} columns={able} />
      </Flex>
    </ReadDrawer>
  )
}
