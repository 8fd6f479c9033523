import type { Equipment } from '@tocsin/contract/security/post'
import { Checkbox, Flex, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'

type Props = {
  equipment: readonly Equipment[]
  /** How many of each item are there, by its name. */
  present: ReadonlyMap<string, number>
  onChange: (present: ReadonlyMap<string, number>) => void
}

/** What belongs to the post: a tick for each item that is complete, else how many are there. */
export const EquipmentTicks = ({ equipment, present, onChange }: Props) => {
  const { t } = useTranslation()
  const count = (name: string, n: number) => onChange(new Map(present).set(name, n))
  return (
    <Flex vertical role="group" aria-label={t('duty.equipmentTicks')}>
      {equipment.map(({ name, required }) => {
        const found = present.get(name) ?? 0
        const isComplete = found >= required
        return (
          <Flex key={name} gap="small" align="center" justify="space-between" className="my-shift-item">
            <Checkbox
              checked={isComplete}
              onChange={({ target }) => count(name, target.checked ? required : Math.max(required - 1, 0))}
            >
              {`${name} ${required}`}
            </Checkbox>
            {!isComplete && (
              <InputNumber
                min={0}
                max={required - 1}
                precision={0}
                value={found}
                aria-label={t('duty.equipmentPresent', { name })}
                onChange={(n) => count(name, n ?? 0)}
              />
            )}
          </Flex>
        )
      })}
    </Flex>
  )
}
